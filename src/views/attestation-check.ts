import type { Level } from '../core/loop.ts';
import type { Subject } from './attestation.ts';
import { oneLine } from './printable.ts';
import { LEVEL_WORDS } from './room-words.ts';

/** An attestation compared with a checkout. */
export type Comparison = {
  readonly file: string;
  readonly result: 'PASSED' | 'WARNED' | 'FAILED';
  readonly level: Level | null;
  readonly loop: string;
  readonly subject: Subject;
  /** The commit of the checkout; `null` = there is none, or it cannot be determined. */
  readonly commit: string | null;
  readonly work: string | null;
  readonly isSame: boolean;
  readonly journal: 'contains' | 'differs' | 'not-here';
};

/** It is about this checkout, it states that the checks passed, and no journal contradicts it. */
export function isAttested({ isSame, result, journal }: Comparison): boolean {
  return isSame && result !== 'FAILED' && journal !== 'differs';
}

export function comparisonLines(comparison: Comparison): readonly string[] {
  const { file, result, level, loop, isSame, journal } = comparison;
  const how = level === null ? 'not verified' : LEVEL_WORDS[level];
  return [
    `${oneLine(file, 200)}: ${isAttested(comparison) ? 'matches this checkout' : 'does not match this checkout'}`,
    `  result:    ${result} (${how}), loop ${oneLine(loop, 64)}`,
    `  subject:   ${isSame ? 'the files here are the ones that were judged' : 'the files here are not the ones that were judged'}`,
    `  journal:   ${JOURNAL_WORDS[journal]}`,
    '  It is not signed: whoever wrote the file could write anything into it.',
  ];
}

const JOURNAL_WORDS: Readonly<Record<Comparison['journal'], string>> = {
  contains: 'the journal of the loop is on this machine and contains the named entry',
  differs: 'the journal of the loop is on this machine but does not contain the named entry',
  'not-here': 'the journal of the loop is not on this machine',
};
