import { describe, expect, it } from 'vitest';
import { findingLines, hasProblem, note, ok, problem, summaryLine } from './finding.ts';

const FINDINGS = [
  ok(null, { about: 'home', text: 'loops are kept in /h' }),
  ok('codex', { about: 'program', text: '0.166.0 (/bin/codex)' }),
  problem('codex', { about: 'trust', text: 'nobody trusts it', fix: 'type /hooks' }),
  note('codex', { about: 'dialects', text: 'athena' }),
];

describe('findings', () => {
  it('stand below their host, one line each, with the fix below its problem', () => {
    expect(findingLines(FINDINGS, undefined)).toEqual([
      'tireless',
      '  ok       home       loops are kept in /h',
      '',
      'codex',
      '  ok       program    0.166.0 (/bin/codex)',
      '  problem  trust      nobody trusts it',
      '                      fix: type /hooks',
      '  note     dialects   athena',
    ]);
  });

  it('are shown in parts as they come: a host is named once, and again after another one', () => {
    const [first, second, third] = FINDINGS;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three findings');
    expect(findingLines([third], second)).toEqual(findingLines([second, third], undefined).slice(2));
    expect(findingLines([first], second)).toEqual(['', ...findingLines([first], undefined)]);
    expect(findingLines([], first)).toEqual([]);
  });

  it('show how many problems there are; a note does not count', () => {
    expect(summaryLine(FINDINGS)).toBe('1 problem found.');
    expect(hasProblem(FINDINGS)).toBe(true);
    const fine = FINDINGS.filter(({ status }) => status !== 'problem');
    expect(summaryLine(fine)).toBe('No problems found.');
    expect(hasProblem(fine)).toBe(false);
  });
});
