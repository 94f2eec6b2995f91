import { launch as claudeCode } from './claude-code/launch.ts';
import { launch as codex } from './codex/launch.ts';
import { launch as copilot } from './copilot/launch.ts';
import { launch as droid } from './droid/launch.ts';
import { launch as gemini } from './gemini/launch.ts';
import type { HostId } from './host.ts';
import type { HostLaunch } from './launch.ts';
import { launch as opencode } from './opencode/launch.ts';
import { launch as pi } from './pi/launch.ts';
import { launch as qwen } from './qwen/launch.ts';

export const LAUNCHES: Readonly<Record<HostId, HostLaunch>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  pi,
  droid,
};
