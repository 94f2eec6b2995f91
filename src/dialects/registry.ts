import { descriptor as athena } from './athena/descriptor.ts';
import type { DialectDescriptor } from './dialect.ts';
import { descriptor as loopMechanics } from './loop-mechanics/descriptor.ts';
import type { DialectName } from './names.ts';
import { DIALECT_NAMES, PRD } from './names.ts';
import { descriptor as ralphLoop } from './ralph-loop/descriptor.ts';
import { descriptor as ralphWiggum } from './ralph-wiggum/descriptor.ts';
import { descriptor as stravinsky } from './stravinsky/descriptor.ts';
import { descriptor as supercode } from './supercode/descriptor.ts';

/** Every dialect by its name, without its code. A name without a descriptor, or with that of another, does not compile. */
export const DIALECTS: { readonly [Name in DialectName]: DialectDescriptor<Name> } = {
  athena,
  'loop-mechanics': loopMechanics,
  supercode,
  stravinsky,
  'ralph-wiggum': ralphWiggum,
  'ralph-loop': ralphLoop,
};

const PRD_FILE = /(?:^|[\\/])prd\.json$/u;

/** Whose file it is, by its path; `undefined` = the path does not tell. */
export function dialectOfPath(file: string): DialectName | typeof PRD | undefined {
  return DIALECT_NAMES.find((name) => DIALECTS[name].filePattern.test(file)) ?? (PRD_FILE.test(file) ? PRD : undefined);
}
