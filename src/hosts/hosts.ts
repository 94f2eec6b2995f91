/* oxlint-disable typescript/no-unnecessary-type-assertion -- Declarations are generated file by file, so the types have to be written out. */
import { host as claudeCode } from './claude-code/host.ts';
import { host as codex } from './codex/host.ts';
import { host as copilot } from './copilot/host.ts';
import { host as droid } from './droid/host.ts';
import { host as gemini } from './gemini/host.ts';
import type { Host } from './host.ts';
import { host as opencode } from './opencode/host.ts';
import { host as pi } from './pi/host.ts';
import { host as qwen } from './qwen/host.ts';

/** The one list of hosts: their ids are derived from it. An id with another host's code does not compile. */
export const HOSTS = {
  'claude-code': claudeCode as Host<'claude-code'>,
  codex: codex as Host<'codex'>,
  gemini: gemini as Host<'gemini'>,
  qwen: qwen as Host<'qwen'>,
  copilot: copilot as Host<'copilot'>,
  opencode: opencode as Host<'opencode'>,
  pi: pi as Host<'pi'>,
  droid: droid as Host<'droid'>,
} as const;
