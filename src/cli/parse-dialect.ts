import { Fault } from '../core/fault.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECT_NAMES, PRD } from '../dialects/names.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';

/** State files, and the one file format that can only be imported and exported. */
export const FORMATS: readonly (DialectName | typeof PRD)[] = [...DIALECT_NAMES, PRD];

/** The value of --dialect, for a command that writes or handles a state file. Throws `USAGE`. */
export function parseDialect(given: string): DialectName {
  return oneOf(DIALECT_NAMES, given);
}

/** The value of --dialect, for a command that imports or exports one. Throws `USAGE`. */
export function parseFormat(given: string): DialectName | typeof PRD {
  return oneOf(FORMATS, given);
}

function oneOf<N extends string>(names: readonly N[], given: string): N {
  const name = names.find((each) => each === given);
  if (name !== undefined) return name;
  throw new Fault(
    'USAGE',
    `There is no dialect "${oneLine(given, 60)}".${didYouMean(given, names)} Use one of ${names.join(', ')}.`,
  );
}
