/** The dialects by the names people type. Without their code: help and faults need only the names. */
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

const BY_NAME: readonly (readonly [RegExp, DialectName | typeof PRD])[] = [
  [/(?:^|[\\/])loop-tracker\.md$/u, 'athena'],
  [/(?:^|[\\/])\.loop[\\/]state\.json$/u, 'loop-mechanics'],
  [/(?:^|[\\/])ralph-loop-state\.json$/u, 'supercode'],
  [/(?:^|[\\/])continuation-loop\.md$/u, 'stravinsky'],
  [/(?:^|[\\/])RALPH_[^\\/]*\.json$/u, 'ralph-wiggum'],
  [/(?:^|[\\/])ralph-loop\.local\.md$/u, 'ralph-loop'],
  [/(?:^|[\\/])prd\.json$/u, PRD],
];

/** Whose file it is, by its path; `undefined` = the path does not tell. */
export function dialectOfPath(file: string): DialectName | typeof PRD | undefined {
  return BY_NAME.find(([pattern]) => pattern.test(file))?.[1];
}
