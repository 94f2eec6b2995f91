import type { Host } from '../host.ts';
import { capabilities } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { examination } from './examination.ts';
import { goalStatus } from './goal.ts';
import { failureWords } from './failure-words.ts';
import { install } from './install.ts';
import { launch } from './launch.ts';
import { trial } from './trial.ts';
import { watchTurns } from '../turn-watch.ts';
import { WORK_SIGNS } from './work-signs.ts';

export const host: Host<'qwen'> = {
  id: 'qwen',
  decode,
  encode,
  capabilities,
  launch,
  install,
  trial,
  examination,
  goalStatus,
  notices: { permission_prompt: 'permission-asked', idle_prompt: 'agent-rested' },
  turns: watchTurns(WORK_SIGNS, failureWords),
};
