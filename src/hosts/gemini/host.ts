import type { Host } from '../host.ts';
import { capabilities } from './capabilities.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';

export const host: Host = { id: 'gemini', decode, encode, capabilities };
