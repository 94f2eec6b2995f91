import { describe, expect, it } from 'vitest';
import type { ActivityLine } from '../core/activity-line.ts';
import { parseActivityLine } from '../core/activity-line.ts';
import type { LogFilter } from './log-lines.ts';
import { logFormatter } from './log-lines.ts';

const line = (kind: ActivityLine['kind'], text: string, more: Partial<ActivityLine> = {}): ActivityLine => ({
  at: '2026-11-17T10:00:00.000Z',
  iteration: 1,
  kind,
  text,
  ...more,
});

const STORY: readonly ActivityLine[] = [
  line('check', 'red\n', { iteration: 0, check: 'npm test', result: 'failed' }),
  line('message', 'I look at '),
  line('message', 'add.js\nand '),
  line('tool', 'Bash npm\ntest'),
  line('diagnostics', '10%\r50%\r100%\nwarning: \u001B[31mold\u001B[0m'),
  line('message', 'then I stop'),
  line('note', 'the rest of the output of this iteration is left out'),
  line('check', '', { check: 'npm test', result: 'passed' }),
  line('check', 'green', { check: 'npm test', result: 'passed', where: 'room' }),
  line('dropped', ''),
  line('message', 'no line end', { iteration: 2 }),
];

function told(filter: Partial<LogFilter> = {}): readonly string[] {
  const formatter = logFormatter({ iteration: undefined, of: 'both', ...filter }, undefined);
  return [...STORY.flatMap(formatter.format), ...formatter.end()];
}

describe('the log', () => {
  it('tells what was printed, per iteration, in whole lines', () => {
    expect(told()).toEqual([
      'before the first iteration',
      '  ✗ npm test',
      '    | red',
      'iteration 1',
      '  I look at add.js',
      '  and',
      '  > Bash npm test',
      '  ! 100%',
      '  ! warning: old',
      '  then I stop',
      '  [the rest of the output of this iteration is left out]',
      '  ✓ npm test',
      '    | (no output)',
      '  ✓ npm test (clean room)',
      '    | green',
      'iteration 2',
      '  no line end',
    ]);
  });

  it('tells only one iteration, only the agent, or only the checks', () => {
    expect(told({ iteration: 2 })).toEqual(['iteration 2', '  no line end']);
    expect(told({ iteration: 0 })).toEqual(['before the first iteration', '  ✗ npm test', '    | red']);
    expect(told({ of: 'agent' }).join('\n')).not.toContain('npm test (clean room)');
    expect(told({ of: 'checks' })).not.toContain('  I look at add.js');
  });
});

describe('a line of the activity log', () => {
  it.each(STORY)('is read as it was written: %j', (each) => {
    expect(parseActivityLine(JSON.stringify(each))).toEqual(each);
  });

  it.each(['', '{', 'null', '[]', '{"at":1}', '{"at":"a","iteration":1,"kind":"other","text":""}'])(
    'is not a line when it contains %j',
    (text) => {
      expect(parseActivityLine(text)).toBeNull();
    },
  );
});
