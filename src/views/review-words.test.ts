import { describe, expect, it } from 'vitest';
import type { Unmet } from '../core/decision.ts';
import { reviewReason } from './review-words.ts';
import { unmetSentence } from './sentences.ts';

const fails: Unmet = { kind: 'room', name: 'npm test', result: 'failed', doubt: 'fails' };
const file: Unmet = { kind: 'judge-file', path: 'test/a.test.js', change: 'modified' };
const sign: Unmet = { kind: 'sign', code: 'exits-early', path: 'src/a.js', line: 3, text: 'process.exit(0)' };

describe('why a person has to review the work', () => {
  it('names the check that fails in the clean room, and the change that the agent kept', () => {
    expect(reviewReason([fails, file], true)).toBe(
      '"npm test" passes in the project but fails in the clean room, and the agent kept its change: test/a.test.js modified',
    );
    expect(reviewReason([fails], true)).toBe(
      '"npm test" passes in the project but fails in the clean room, and the agent kept its change',
    );
  });

  it('does not say that the agent kept a change that it was never asked about', () => {
    expect(reviewReason([fails, file], false)).toBe(
      '"npm test" passes in the project but fails in the clean room; the agent changed what judges it: test/a.test.js modified',
    );
  });

  it('names the line of a sign and what it does', () => {
    expect(reviewReason([sign], true)).toBe(
      'src/a.js:3 ends the process when it is loaded, and the agent kept its change',
    );
  });

  it('has the numbers of tests', () => {
    const fewer: Unmet = { ...fails, result: 'unknown', doubt: 'fewer-tests', before: 5, now: 2 };
    expect(reviewReason([fewer], false)).toBe(
      '"npm test" passes in the project but runs only 2 of 5 tests in the clean room',
    );
  });

  it('names files that could not be restored, and a hold-out that rests on a change', () => {
    expect(reviewReason([file], true)).toBe(
      'all checks pass, but files that judge the work are not as they were, and the agent kept its change: test/a.test.js modified',
    );
    expect(reviewReason([{ ...fails, name: 'holdout-1', holdout: true }, file], true)).toBe(
      'the hold-out check "holdout-1" passes only with files that the agent changed, and the agent kept its change: test/a.test.js modified',
    );
  });

  it('says why no room could be made', () => {
    expect(reviewReason([{ kind: 'room-lost', why: 'work-changed', detail: 'src/a.js' }], true)).toBe(
      'all checks pass in the project, but the project changed while the clean room judged it (src/a.js), so nothing is proven',
    );
    expect(reviewReason([{ kind: 'room-lost', why: 'no-space', detail: '' }], true)).toBe(
      'all checks pass in the project, but no clean room could be made (the disk is full), so nothing is proven',
    );
  });

  it('names a few, and counts the rest', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((path): Unmet => ({ kind: 'judge-file', path, change: 'added' }));
    expect(reviewReason([fails, ...files], true)).toMatch(/: a added, b added, c added, 2 more$/u);
  });
});

it('calls a hold-out check that fails by what it is', () => {
  expect(unmetSentence([{ kind: 'check', name: 'holdout-1', result: 'failed', holdout: true }])).toBe(
    'the visible checks pass, but 1 hold-out check fails: holdout-1',
  );
});
