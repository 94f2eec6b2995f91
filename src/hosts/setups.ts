import { install as claudeCode } from './claude-code/install.ts';
import { install as codex } from './codex/install.ts';
import { install as copilot } from './copilot/install.ts';
import { install as droid } from './droid/install.ts';
import { install as gemini } from './gemini/install.ts';
import type { HostId } from './host.ts';
import { install as opencode } from './opencode/install.ts';
import { install as pi } from './pi/install.ts';
import { install as qwen } from './qwen/install.ts';
import type { HostSetup } from './setup.ts';

/** How each host is set up. Never part of the hook. */
export const SETUPS: Readonly<Record<HostId, HostSetup>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  pi,
  droid,
};
