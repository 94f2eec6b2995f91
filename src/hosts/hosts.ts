import { host as claudeCode } from './claude-code/host.ts';
import { host as codex } from './codex/host.ts';
import { host as copilot } from './copilot/host.ts';
import { host as droid } from './droid/host.ts';
import { host as gemini } from './gemini/host.ts';
import type { Host, HostId } from './host.ts';
import { host as opencode } from './opencode/host.ts';
import { host as pi } from './pi/host.ts';
import { host as qwen } from './qwen/host.ts';

export const HOSTS: Readonly<Record<HostId, Host>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  pi,
  droid,
};
