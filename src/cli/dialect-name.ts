import { Fault } from '../core/fault.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECT_NAMES, isDialectName } from '../dialects/names.ts';
import { oneLine } from '../views/printable.ts';

/** A name that was typed. `others`: formats that this command takes beside the dialects. Throws a Fault. */
export function dialectNamed<Other extends string = never>(
  given: string,
  others: readonly Other[] = [],
): DialectName | Other {
  const other = others.find((each) => each === given);
  if (other !== undefined) return other;
  if (isDialectName(given)) return given;
  throw new Fault(
    'USAGE',
    `There is no dialect "${oneLine(given, 60)}". Use one of ${[...DIALECT_NAMES, ...others].join(', ')}.`,
  );
}
