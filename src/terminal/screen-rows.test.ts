import { describe, expect, it } from 'vitest';
import { screenRows } from './screen-rows.ts';

describe('rows for a terminal', () => {
  it('break a message between words', () => {
    const message =
      'tireless: USAGE: Unknown command "stauts". Did you mean "status"? "tireless help" lists the commands.';
    expect(screenRows(message, 60)).toEqual([
      'tireless: USAGE: Unknown command "stauts". Did you mean',
      '"status"? "tireless help" lists the commands.',
    ]);
  });

  it('keep each line of a text, and empty ones', () => {
    expect(screenRows('one\n\n  two', 80)).toEqual(['one', '', '  two']);
  });

  it('keep a text in the column that it begins in', () => {
    expect(screenRows('  goal:      make all of the tests of the shop pass', 40)).toEqual([
      '  goal:      make all of the tests of',
      '             the shop pass',
    ]);
  });

  it('keep a text in the last of several columns', () => {
    expect(screenRows('  ok       home  loops are kept in a folder of yours', 40)).toEqual([
      '  ok       home  loops are kept in a',
      '                 folder of yours',
    ]);
  });

  it('do not squeeze a text into a column that leaves no room', () => {
    const rows = screenRows(`  ${'x'.repeat(30)}  one two three four five six`, 40);
    expect(rows).toEqual([`  ${'x'.repeat(30)}  one`, '  two three four five six']);
  });

  it('continue a command with a backslash, an option beside its value', () => {
    expect(screenRows('  tireless run "make the tests pass" --agent claude-code --check "npm test"', 60)).toEqual([
      '  tireless run "make the tests pass" --agent claude-code \\',
      '    --check "npm test"',
    ]);
  });

  it('put a command that follows a colon on a row of its own', () => {
    expect(screenRows('tireless: loop 261117-2013-abcdef is kept; continue with: tireless resume last', 60)).toEqual([
      'tireless: loop 261117-2013-abcdef is kept; continue with:',
      '  tireless resume last',
    ]);
  });

  it('keep the mark of a quoted line', () => {
    expect(screenRows('      |     TestContext.<anonymous>  (/shop/price.test.js)', 40)).toEqual([
      '      |     TestContext.<anonymous>',
      '      |       (/shop/price.test.js)',
    ]);
  });

  it('align a synopsis, and add nothing to it', () => {
    expect(screenRows('Usage: tireless run [GOAL] (--agent NAME | --agent-command CMD)', 40)).toEqual([
      'Usage: tireless run [GOAL] (--agent NAME',
      '       | --agent-command CMD)',
    ]);
  });

  it('take a sentence that begins like a command for a sentence', () => {
    const rows = screenRows('tireless: tireless waits for another process, and nothing is lost by that', 50);
    expect(rows.join(' ')).not.toContain('\\');
  });

  it('leave a command with an open quote as it is', () => {
    const rows = screenRows(`  tireless steer last "don't ${'stop '.repeat(12)}`, 50);
    expect(rows.join(' ')).not.toContain('\\');
  });
});
