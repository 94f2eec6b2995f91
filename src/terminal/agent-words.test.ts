import { describe, expect, it } from 'vitest';
import { agentWords } from './agent-words.ts';
import type { Progress } from './display.ts';

const says = (text: string, stream: 'message' | 'diagnostics' = 'message'): Progress => ({
  kind: 'agent-active',
  iteration: 1,
  activity: { kind: 'output', stream, text },
});
const CHECKING: Progress = { kind: 'check-began', name: 'unit' };

function told(...story: readonly Progress[]): readonly string[] {
  const words = agentWords();
  return story.flatMap((progress) => words(progress)).map(({ text }) => text);
}

describe('agentWords', () => {
  it('keeps whole lines of the message, and the last one when the turn is over', () => {
    expect(told(says('one\ntw'), says('o\n\nthr'), says('noise\n', 'diagnostics'), CHECKING)).toEqual([
      '  › one',
      '  › two',
      '  › thr',
    ]);
  });

  it('stops after forty lines, and begins again with the next iteration', () => {
    const flood = says('line\n'.repeat(1000));
    const next: Progress = { kind: 'iteration-began', iteration: 2, max: 5, rerun: false };
    const lines = told(flood, flood, CHECKING, next, says('hello\n'));
    expect(lines).toHaveLength(42);
    expect(lines.slice(-3)).toEqual(['  › line', '  › …', '  › hello']);
  });

  it('makes what the agent printed safe to show', () => {
    expect(told(says('\u001B[2Jred\u0007\n'))).toEqual(['  › red']);
  });
});
