/* oxlint-disable typescript/no-unnecessary-type-assertion -- Declarations are generated file by file, so the types have to be written out. */
import { descriptor as athena } from './athena/descriptor.ts';
import type { DialectDescriptor } from './dialect.ts';
import { descriptor as loopMechanics } from './loop-mechanics/descriptor.ts';
import { descriptor as ralphLoop } from './ralph-loop/descriptor.ts';
import { descriptor as ralphWiggum } from './ralph-wiggum/descriptor.ts';
import { descriptor as stravinsky } from './stravinsky/descriptor.ts';
import { descriptor as supercode } from './supercode/descriptor.ts';

/**
 * The one list of dialects: their names are derived from it, and their code is loaded by their descriptors. A name with another dialect's descriptor,
 * or a descriptor without code, does not compile.
 */
export const DIALECTS = {
  athena: athena as DialectDescriptor<'athena'>,
  'loop-mechanics': loopMechanics as DialectDescriptor<'loop-mechanics'>,
  supercode: supercode as DialectDescriptor<'supercode'>,
  stravinsky: stravinsky as DialectDescriptor<'stravinsky'>,
  'ralph-wiggum': ralphWiggum as DialectDescriptor<'ralph-wiggum'>,
  'ralph-loop': ralphLoop as DialectDescriptor<'ralph-loop'>,
} as const;
