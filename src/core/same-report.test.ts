import { describe, expect, it } from 'vitest';
import { isSameHappening } from './same-report.ts';

const at = (monotonicMs: number, boot = 'b'): { monotonicMs: number; boot: string } => ({ monotonicMs, boot });

describe('two reports of one happening', () => {
  it('have the same words, and the second began before the first had its answer', () => {
    expect(isSameHappening({ words: 'w', answered: at(100) }, { words: 'w', began: at(99) })).toBe(true);
    expect(isSameHappening({ words: 'w' }, { words: 'w', began: at(500) })).toBe(true);
    expect(isSameHappening({ words: 'v', answered: at(100) }, { words: 'w', began: at(99) })).toBe(false);
  });

  it('are not what a user types again, or an agent says again, after the answer', () => {
    expect(isSameHappening({ words: 'w', answered: at(100) }, { words: 'w', began: at(101) })).toBe(false);
    expect(isSameHappening({ words: 'w', answered: at(100, 'a') }, { words: 'w', began: at(5) })).toBe(false);
  });

  it('are recognised by the name that the host gives it, whenever they come', () => {
    const earlier = { words: 'w', name: 'turn 1', answered: at(100) };
    expect(isSameHappening(earlier, { words: 'w', name: 'turn 1', began: at(900) })).toBe(true);
    expect(isSameHappening(earlier, { words: 'w', name: 'turn 2', began: at(50) })).toBe(false);
    expect(isSameHappening(earlier, { words: 'v', name: 'turn 1', began: at(50) })).toBe(false);
  });
});
