import { describe, expect, it } from 'vitest';
import { aResult } from '../../test/support/a-loop.ts';
import { demoStory } from './demo-story.ts';

const TAIL = `ℹ fail 2
✖ failing tests:

test at test/cart.test.js:7:1
✖ puts the same item on one line (5.906334ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
  + actual - expected
  {
    actual: [ { name: 'Bread', cents: 320, quantity: 1 }, { name: 'Bread', cents: 320, quantity: 2 } ],
    expected: [ { name: 'Bread', cents: 320, quantity: 3 } ],
  }

test at test/money.test.js:5:1
✖ shows two digits (after the point) (14.5ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  {
    actual: '3.5',
    expected: '3.05',
  }
`;

const failed = (tail: string, where?: 'room') =>
  ({ kind: 'check-ended', result: aResult('tests', 'failed', { tail }), ...(where && { where }) }) as const;

describe('demoStory', () => {
  it('names each failing test with what it got and what it expected, once', () => {
    const tell = demoStory();
    const shown = tell(failed(TAIL)).map(({ text }) => text);
    expect(shown.slice(1)).toEqual([
      '      puts the same item on one line: Expected values to be strictly deep-equal',
      "      shows two digits (after the point): got '3.5', expected '3.05'",
    ]);
    expect(tell(failed(TAIL, 'room'))).toHaveLength(1);
    expect(tell(failed(TAIL))).toHaveLength(1);
    expect(tell(failed(TAIL.replace("'3.5'", "'3.0'")))).toHaveLength(3);
  });

  it('shows neither a pause nor the checks that Ctrl-C ended: the demo itself reports that it was stopped', () => {
    const tell = demoStory();
    const clock = { wallMs: 0, monotonicMs: 0, boot: 'b' };
    const decision = { kind: 'pause', cause: 'user' } as const;
    expect(tell({ kind: 'decided', event: { kind: 'pause-requested' }, evidence: { clock }, decision })).toEqual([]);
    expect(tell(failed(TAIL))).toEqual([]);
  });

  it('shows the check alone when its output is another', () => {
    expect(demoStory()(failed('✖ no such thing'))).toHaveLength(1);
  });
});
