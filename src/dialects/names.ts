/** The dialects by the names people type. Help and faults need only the names. */
export const DIALECT_NAMES = [
  'athena',
  'loop-mechanics',
  'supercode',
  'stravinsky',
  'ralph-wiggum',
  'ralph-loop',
] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

/** Not driven live, but read and written: a list of stories. */
export const PRD = 'prd';

export function isDialectName(text: string): text is DialectName {
  return DIALECT_NAMES.some((name) => name === text);
}
