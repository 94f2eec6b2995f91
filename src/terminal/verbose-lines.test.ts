import { describe, expect, it } from 'vitest';
import { aResult } from '../../test/support/a-loop.ts';
import type { Progress } from './display.ts';
import { verboseLines } from './verbose-lines.ts';

const says = (text: string): Progress => ({
  kind: 'agent-active',
  iteration: 1,
  activity: { kind: 'output', stream: 'message', text },
});

describe('verboseLines', () => {
  it('tells what the agent says line by line, its tools, and each check with its time', () => {
    const written: string[] = [];
    let now = 0;
    const display = verboseLines({ write: (text) => void written.push(text) }, () => now);
    display.show({ kind: 'iteration-began', iteration: 1, max: 20, rerun: false });
    for (const text of ['I look', ' at it\n\u001B[2Jthen', ' I edit\n', 'last words']) display.show(says(text));
    display.show({
      kind: 'agent-active',
      iteration: 1,
      activity: { kind: 'tool-used', tool: 'Bash', detail: 'npm\ntest' },
    });
    now = 3000;
    display.show({ kind: 'check-began', name: 'unit' });
    display.show({ kind: 'check-ended', result: aResult('unit', 'passed') });
    display.close();
    expect(written.join('').split('\n')).toEqual([
      'iteration 1 of 20',
      '  | I look at it',
      '  | then I edit',
      '  | last words',
      '  > Bash npm test',
      '  the agent worked for 3s',
      '  … unit',
      '  ✓ unit (100ms)',
      '',
    ]);
  });

  it('breaks long lines of the agent between words on a terminal', () => {
    const written: string[] = [];
    const display = verboseLines({ write: (text) => void written.push(text) }, () => 0, 20);
    display.show(says('one two three four five\n'));
    expect(written.join('').split('\n')).toEqual(['  | one two three', '  |   four five', '']);
  });
});
