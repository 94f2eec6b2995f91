import { DIALECTS } from './registry.ts';

export type DialectName = keyof typeof DIALECTS;

/** The dialects by the names people type. */
// `Object.keys` loses the literal types of the registry's names.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
export const DIALECT_NAMES: readonly DialectName[] = Object.keys(DIALECTS) as DialectName[];

/** A list of stories. Not driven live, but read and written. */
export const PRD = 'prd';

export function isDialectName(text: string): text is DialectName {
  return Object.hasOwn(DIALECTS, text);
}

const PRD_FILE = /(?:^|[\\/])prd\.json$/u;

/** The dialect of a file, judged by its path; `undefined` = the path does not tell. */
export function dialectOfPath(file: string): DialectName | typeof PRD | undefined {
  return DIALECT_NAMES.find((name) => DIALECTS[name].filePattern.test(file)) ?? (PRD_FILE.test(file) ? PRD : undefined);
}
