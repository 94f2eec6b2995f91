import { describe, expect, it } from 'vitest';
import { parseFlags, text, texts } from './flags.ts';
import { RUN_FLAGS } from './loop-flags.ts';

const parse = (...args: string[]) => parseFlags(RUN_FLAGS, args);

describe('parseFlags', () => {
  it.each([
    ['--flag value', ['--max-iterations', '5']],
    ['--flag=value', ['--max-iterations=5']],
  ])('takes %s', (_, args) => {
    expect(parse('fix', 'it', ...args)).toMatchObject({ words: ['fix', 'it'], values: { 'max-iterations': 5 } });
  });

  it('takes repeatable flags in their order, and never splits a value at a comma', () => {
    expect(parse('--check', 'a,b', '--check=c d').values.check).toEqual(['a,b', 'c d']);
  });

  it('takes the spelling of older tools', () => {
    expect(parse('--completion-promise', 'ALL DONE').values.claim).toEqual(['ALL DONE']);
  });

  it('takes flags after the words and between them', () => {
    expect(parse('fix', '--check', 'x', 'it')).toMatchObject({ words: ['fix', 'it'], values: { check: ['x'] } });
  });

  it('takes everything after -- as words', () => {
    expect(parse('--check', 'x', '--', '-h', '--max-iterations', '0').words).toEqual(['-h', '--max-iterations', '0']);
  });

  it('takes -h inside a quoted goal as text', () => {
    expect(parse('explain what -h and --help do')).toMatchObject({
      words: ['explain what -h and --help do'],
      help: false,
    });
  });

  it.each(['-h', '--help'])('takes %s as a question for help', (flag) => {
    expect(parse(flag).help).toBe(true);
  });

  it('takes --json alone and --json=stream', () => {
    expect([parse().values.json, parse('--json', 'goal').values.json, parse('--json=stream').values.json]).toEqual([
      'no',
      'end',
      'stream',
    ]);
  });

  it.each([
    [['--max-iteration=5'], 'Unknown flag --max-iteration. Did you mean --max-iterations?'],
    [['--maxiterations', '5'], 'Did you mean --max-iterations?'],
    [['--chekc', 'x'], 'Did you mean --check?'],
    [['--zzzzzz'], 'Unknown flag --zzzzzz. "tireless help COMMAND"'],
    [['-x'], 'Unknown flag -x.'],
    [['--max-iterations'], 'The flag --max-iterations needs a value: --max-iterations N.'],
    [['--check', '--json'], 'looks like a flag. If it is the value, write --check=--json.'],
    [['--max-iterations', '5', '--max-iterations', '6'], 'was given twice'],
    [['--approve-finish=yes'], 'takes no value'],
    [['--json=lines'], 'takes no value except "stream"'],
    [['--no-json'], 'Unknown flag --no-json'],
    [['--then', 'x'], 'The flag --then is not part of this version of tireless'],
    [['--dialect=x'], 'not part of this version'],
    [['--session', 'x'], 'not part of this version'],
    [['--host', 'x'], 'not part of this version'],
  ])('refuses %j', (args, message) => {
    expect(() => parse('goal', ...args)).toThrowError(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) as string }),
    );
  });

  it.each([
    ['run', '-h is broken, repair it', 'Unknown flag -h. If the goal begins with it, put the goal after "--".'],
    ['start', '--dry run', 'Unknown flag --dry. If the goal begins with it, put the goal after "--".'],
    ['steer', '-x is wrong', 'Unknown flag -x. If the text begins with it, put the text after "--".'],
    ['status', '-x is wrong', 'Unknown flag -x. "tireless help status" lists its flags.'],
  ])('refuses text of %s that begins with a dash: %s', (command, word, message) => {
    expect(() => parseFlags({}, [word], command)).toThrowError(message);
  });

  it.each(['abc', '0', '-1', '1e9', '1.5', '10001', '', ' 5', '0x10', '٥'])(
    'refuses --max-iterations "%s" with the range',
    (given) => {
      expect(() => parse('--max-iterations', given)).toThrowError(/from 1 to 10000, or "unlimited"/);
    },
  );

  it.each([
    ['1', 1],
    ['10000', 10_000],
    ['unlimited', 'unlimited'],
  ])('takes --max-iterations %s', (given, limit) => {
    expect(parse('--max-iterations', given).values['max-iterations']).toBe(limit);
  });

  describe('a value of several words without quotes', () => {
    const dashed = { ...texts('ARGS', 'arguments'), dashed: true };
    const table = {
      check: texts('CMD', 'a command'),
      claim: texts('TEXT', 'a text'),
      cwd: text('DIR', 'x'),
      args: dashed,
    };
    const run = (...args: readonly string[]) => parseFlags(table, args, 'run');

    it.each([
      [['make', 'it', 'pass', '--check', 'npm', 'test'], '--check "npm test"'],
      [['make it pass', '--check', 'npm', 'run', 'lint'], '--check "npm run"'],
      [['make it', '--claim', 'ALL', 'DONE'], '"DONE" after --claim ALL would become part of the goal'],
      [['make it', '--args', '--model', 'opus'], '--args="--model opus"'],
      [['--args', '--model', 'opus', 'make it'], '--args="--model opus"'],
    ])('is refused: %j', (args, advice) => {
      expect(() => run(...args)).toThrow(advice);
    });

    it.each([
      [['--check', 'npm', 'make', 'it']],
      [['--check', 'npm', 'fix', 'what "make" does']],
      [['--check', 'npm', 'make it']],
      [['make it', '--check=npm', 'pass']],
      [['make it', '--check', 'npm test', 'pass']],
      [['make it', '--cwd', 'x', 'pass']],
      [['--args', '--fast', 'make', 'it']],
      [['make it', '--check', 'npm', '--', 'pass']],
    ])('is not meant by %j', (args) => {
      expect(run(...args).words.join(' ')).toContain('make');
    });
  });

  it('mentions a goal only where there is one', () => {
    expect(() => parseFlags({}, ['-x'], 'run')).toThrow('put a goal that begins with a dash after "--"');
    expect(() => parseFlags({}, ['-x'], 'steer')).toThrow('put a text that begins with a dash after "--"');
    expect(() => parseFlags({}, ['-x'], 'cancel')).toThrow(/lists its flags\.$/u);
  });
});
