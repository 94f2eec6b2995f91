import type { SessionRef } from '../../core/loop.ts';
import { findFile } from '../../system/find-file.ts';
import type { World } from '../services.ts';
import { userHome } from '../settings/place.ts';

/** Codex: a folder for the year, the month and the day. */
const DEPTH_MAX = 3;

/** Where a host with a goal of its own wrote down what was said in a session; `null` = it is not there. */
export function transcriptOf({ host, id }: SessionRef, world: World): string | null {
  const { env } = world;
  const folders: Readonly<Record<string, string>> = {
    'claude-code': `${env['CLAUDE_CONFIG_DIR'] ?? `${userHome(world)}/.claude`}/projects`,
    codex: `${env['CODEX_HOME'] ?? `${userHome(world)}/.codex`}/sessions`,
    qwen: `${userHome(world)}/.qwen/projects`,
  };
  const folder = folders[host];
  return folder === undefined ? null : findFile(folder, `${id}.jsonl`, DEPTH_MAX);
}
