import { describe, expect, it } from 'vitest';
import { aCheck, aSpec } from '../../test/support/a-loop.ts';
import { NATIVE_CLAIM } from '../core/claim.ts';
import type { ImportedLoop } from './import-loop.ts';
import { importedFrom, specOfImported } from './import-loop.ts';
import type { StateFileReading } from './new-state-file.ts';

const claim = { ...NATIVE_CLAIM, texts: ['FINISHED'] };
const finish = { kind: 'claim' } as const;
const reading = (facts: object): StateFileReading =>
  ({ kind: 'loop', active: true, goal: ' Do it ', criteria: [], counted: 3, claim, finish, ...facts }) as never;
const imported = (facts: object = {}): ImportedLoop => importedFrom('ralph-wiggum', reading(facts));

describe('a loop that is imported from a state file', () => {
  it('keeps its goal, its claim and the rule that completes it', () => {
    expect(imported()).toMatchObject({ goal: 'Do it', claim, finish, counted: 3, checks: [], criteriaMet: [] });
  });

  it('has our claim, and our rule, where nothing in the file could complete it', () => {
    expect(imported({ claim: { ...claim, texts: [] } })).toMatchObject({ claim: NATIVE_CLAIM, finish: null });
  });

  it('keeps the rule of a file that completes by checks alone', () => {
    expect(imported({ claim: { ...claim, texts: [] }, checks: [aCheck('unit')] })).toMatchObject({ finish });
  });

  it('has to pass the checks that the user adds, and keeps the limits that the user typed', () => {
    const spec = aSpec({ checks: [aCheck('mine')] });
    const made = specOfImported({ ...imported({ checks: [aCheck('theirs')] }), limits: { iterationsMax: 5 } }, spec, {
      limits: { tokensMax: 9 },
      timing: {},
    });
    expect(made.checks.map(({ name }) => name)).toEqual(['theirs', 'mine']);
    expect(made).toMatchObject({ claimRequired: true, limits: { iterationsMax: 5, tokensMax: 9 } });
    expect(made.finish).toEqual({ kind: 'all', of: [finish, { kind: 'check', name: 'mine' }] });
    expect(specOfImported({ ...imported(), finish: null }, spec, { limits: {}, timing: {} })).not.toHaveProperty(
      'finish',
    );
  });
});
