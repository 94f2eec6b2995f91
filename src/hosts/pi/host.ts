import type { Host } from '../host.ts';
import { capabilities } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { install } from './install.ts';
import { launch } from './launch.ts';
import { trial } from './trial.ts';

export const host: Host<'pi'> = { id: 'pi', decode, encode, capabilities, launch, install, trial };
