import type { Host } from '../host.ts';
import { capabilities } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { examination } from './examination.ts';
import { goalStatus } from './goal.ts';
import { install } from './install.ts';
import { turns } from './turn-watch.ts';
import { launch } from './launch.ts';
import { trial } from './trial.ts';

export const host: Host<'claude-code'> = {
  id: 'claude-code',
  decode,
  encode,
  capabilities,
  launch,
  install,
  trial,
  examination,
  goalStatus,
  turns,
};
