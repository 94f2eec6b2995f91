import type { HostId } from '../../../../src/hosts/ids.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import type { Launcher } from './launcher.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

export const LAUNCHERS: Readonly<Record<HostId, Launcher>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  pi,
  droid,
};
