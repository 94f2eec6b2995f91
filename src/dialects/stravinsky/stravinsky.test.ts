import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aDialectWorld } from '../../../test/support/dialect-world.ts';
import type { DialectWorld } from '../../../test/support/dialect-world.ts';
import { replyIn } from '../dialect.ts';
import type { Reply } from '../dialect.ts';
import { CONTINUATION_LOOP_FILE } from './descriptor.ts';
import { CONTINUATION_PROMPT } from './words.ts';
import { continuationFromTodos, newContinuation } from './new-continuation.ts';
import { parseState } from './read.ts';
import { stravinsky } from './dialect.ts';

const FILE = `/project/${CONTINUATION_LOOP_FILE}`;
const fixture = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../../test/fixtures/dialects/stravinsky', name), 'utf8');
const text = (fields: string, body = '\nThe goal.\n'): string => `---\n${fields}---\n${body}`;
const plain = (count: number, max: number): string =>
  text(`iteration_count: ${count}\nmax_iterations: ${max}\ncompletion_promise: "All tests passing"\nactive: true\n`);

function holding(content: string): DialectWorld {
  const world = aDialectWorld(stravinsky);
  world.files.set(FILE, content);
  return world;
}

function answer(world: DialectWorld, message: string, session?: string): Reply {
  const { decision, loaded, reading } = world.stop(CONTINUATION_LOOP_FILE, message, session);
  return replyIn('exit', stravinsky.wordsFor({ decision, loop: loaded ?? null, reading }));
}

describe('a stop of a Stravinsky loop', () => {
  it.each([
    ['The continuation loop is complete', 'All tests passing', () => {}],
    ['its file is gone', 'hm', (world: DialectWorld) => world.files.delete(FILE)],
    [
      'its file is switched off',
      'hm',
      (world: DialectWorld) => world.files.set(FILE, plain(2, 10).replace('true', 'false')),
    ],
  ])('reports how it ended: %s', (notice, message, change) => {
    const world = holding(plain(1, 10));
    world.stop(CONTINUATION_LOOP_FILE, 'hm');
    change(world);
    const { decision, loaded, reading } = world.stop(CONTINUATION_LOOP_FILE, message);
    expect(stravinsky.wordsFor({ decision, loop: loaded ?? null, reading }).notice).toContain(notice);
  });

  it('continues with exit code 2 and exactly the document’s text on stderr', () => {
    const world = holding(plain(1, 10));
    const expected = {
      exitCode: 2,
      stdout: '',
      stderr: `[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE]
This is an automated continuation loop. Review your progress:
- Check what has been completed
- Continue working towards the goal
- If complete, explicitly state the completion promise
- If blocked, explain the issue
`,
    };
    expect(answer(world, 'hm')).toEqual(expected);
    expect(answer(world, 'hm')).toEqual(expected);
    expect(`${CONTINUATION_PROMPT}\n`).toBe(expected.stderr);
  });

  it('adds one to the counter before it compares: a maximum of M allows M - 1 turns', () => {
    const world = holding(plain(1, 4));
    expect([answer(world, 'a').exitCode, world.files.get(FILE)]).toEqual([2, plain(2, 4)]);
    expect([answer(world, 'b').exitCode, world.files.get(FILE)]).toEqual([2, plain(3, 4)]);
    expect([answer(world, 'c').exitCode, world.files.get(FILE)]).toEqual([0, plain(4, 4)]);
    expect(answer(world, 'd')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it.each([
    [0, 3, [1, 2, 3]],
    [-2, 2, [-1, 0, 1, 2]],
    [0, 1, [1]],
    [0, 0, [1]],
    [0, -3, [1]],
  ])('adds one to a counter of %i, too, and compares with %i', (counter, max, counters) => {
    const world = holding(plain(counter, max));
    for (const [at, now] of counters.entries()) {
      expect(answer(world, `turn ${now}`)).toMatchObject(
        at === counters.length - 1 ? { exitCode: 0 } : { exitCode: 2, stderr: `${CONTINUATION_PROMPT}\n` },
      );
      expect(world.files.get(FILE)).toBe(plain(now, max));
    }
    expect(answer(world, 'one more').exitCode).toBe(0);
  });

  it('counts edits of a loop that began at 0 in the numbers of its file', () => {
    const world = holding(plain(0, 10));
    answer(world, 'a');
    world.files.set(FILE, plain(1, 3));
    expect([answer(world, 'b').exitCode, world.files.get(FILE)]).toEqual([2, plain(2, 3)]);
    world.files.set(FILE, plain(5, 7));
    expect([answer(world, 'c').exitCode, world.files.get(FILE)]).toEqual([2, plain(6, 7)]);
    expect([answer(world, 'd').exitCode, world.files.get(FILE)]).toEqual([0, plain(7, 7)]);
    world.files.set(FILE, plain(0, 3));
    expect([answer(world, 'e').exitCode, world.files.get(FILE)]).toEqual([2, plain(1, 3)]);
  });

  it('stops at once when the counter is already past the maximum', () => {
    expect(answer(holding(plain(25, 10)), 'hm').exitCode).toBe(0);
    expect(answer(holding(plain(1, 0)), 'hm').exitCode).toBe(0);
    expect(answer(holding(plain(1, -3)), 'hm').exitCode).toBe(0);
  });

  it('stops with exit code 0 and deletes the file when the promise is in the response', () => {
    const world = holding(plain(1, 10));
    answer(world, 'hm');
    expect(answer(world, 'Run again: all TESTS passing now.')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(world.files.has(FILE)).toBe(false);
    expect(world.loop(CONTINUATION_LOOP_FILE)?.state.outcome).toEqual({ kind: 'completed', verified: false });
  });

  it('finds the promise anywhere in the response, in upper or lower case', () => {
    for (const message of ['ALL TESTS PASSING', '> not sure, all tests passing?', 'xAll tests passingx'])
      expect(answer(holding(plain(1, 10)), message).exitCode).toBe(0);
  });

  it('requires the whole promise, not a part of it', () => {
    expect(answer(holding(plain(1, 10)), 'tests passing').exitCode).toBe(2);
  });

  it('completes, and does not halt, when the promise comes with the last turn', () => {
    const world = holding(plain(1, 2));
    answer(world, 'All tests passing');
    expect(world.loop(CONTINUATION_LOOP_FILE)?.state.status).toBe('completed');
    expect(world.files.has(FILE)).toBe(false);
  });

  it('reads texts between bars as alternatives', () => {
    for (const promise of ['All tests passing', 'feature complete', 'No errors found'])
      expect(answer(holding(fixture('several-texts.md')), `So: ${promise}!`).exitCode).toBe(0);
    expect(answer(holding(fixture('several-texts.md')), 'All tests | no errors').exitCode).toBe(2);
  });

  it('never completes by an empty promise or by an empty alternative', () => {
    for (const promise of ['""', '"|"', '" | "', '~', '[]', '"x9|"'])
      expect(answer(holding(text(`completion_promise: ${promise}\nactive: true\n`)), 'any | text').exitCode).toBe(2);
  });

  it('stops when the switch is set to false by hand, and leaves the file as it is', () => {
    const world = holding(plain(1, 10));
    answer(world, 'hm');
    const off = plain(2, 10).replace('active: true', 'active: false # enough');
    world.files.set(FILE, off);
    expect(answer(world, 'hm').exitCode).toBe(0);
    expect(world.files.get(FILE)).toBe(off);
  });

  it('stops when the file is deleted by hand', () => {
    const world = holding(plain(1, 10));
    answer(world, 'hm');
    world.files.delete(FILE);
    expect(answer(world, 'hm').exitCode).toBe(0);
    expect(world.files.has(FILE)).toBe(false);
  });

  it('continues when the maximum is raised during the loop, or after the loop halted there', () => {
    const world = holding(plain(1, 3));
    answer(world, 'hm');
    world.files.set(FILE, plain(2, 10).replace('max_iterations: 10', 'max_iterations: 4'));
    expect(answer(world, 'hm').exitCode).toBe(2);
    expect(answer(world, 'hm').exitCode).toBe(0);
    world.files.set(FILE, plain(4, 20));
    expect(answer(world, 'hm').exitCode).toBe(2);
    expect(world.files.get(FILE)).toBe(plain(5, 20));
  });

  it('starts the next loop when a new file is written after the first is complete', () => {
    const world = holding(plain(1, 10));
    answer(world, 'hm');
    answer(world, 'All tests passing');
    expect(answer(world, 'idle').exitCode).toBe(0);
    world.files.set(FILE, fixture('chained.md'));
    expect(answer(world, 'All tests passing').exitCode).toBe(2);
    expect(answer(world, 'Documentation complete').exitCode).toBe(0);
    expect(world.store.list({ ended: true }).map(({ state }) => state.status)).toEqual(['completed', 'completed']);
  });

  it('keeps the body, comments, order, quoting, line ends and unknown keys', () => {
    const world = holding(fixture('odd-windows.md'));
    expect(answer(world, 'hm').exitCode).toBe(2);
    expect(world.files.get(FILE)).toBe(
      fixture('odd-windows.md').replace('iteration_count: 5 # of many', 'iteration_count: 6 # of many'),
    );
    expect(answer(world, "IT’S DONE? it's done: really").exitCode).toBe(0);
  });

  it('is set inactive when it is cancelled from outside', () => {
    const world = holding(plain(1, 10));
    answer(world, 'hm');
    const loop = world.loop(CONTINUATION_LOOP_FILE);
    expect(loop).toBeDefined();
    if (loop === undefined) return;
    const cancelled = { ...loop, state: { ...loop.state, status: 'cancelled' as const } };
    expect(stravinsky.project(plain(2, 10), cancelled)).toBe(plain(2, 10).replace('active: true', 'active: false'));
  });
});

describe('a Stravinsky state file', () => {
  it('is read with every field', () => {
    expect(parseState(fixture('tests-until-passing.md'))).toEqual({
      iteration_count: 1,
      max_iterations: 15,
      completion_promise: '✅ All tests passing',
      active: true,
      body: expect.stringContaining('Goal: Fix failing tests in test_auth.py\n- Run pytest\n') as string,
    });
  });

  it('gets safe values for what is missing: not active, a maximum of 10, a counter of 1, no promise', () => {
    expect(parseState(text('foo: 1\n'))).toEqual({
      iteration_count: 1,
      max_iterations: 10,
      completion_promise: '',
      active: false,
      body: '\nThe goal.\n',
    });
    expect(parseState(text('active:\niteration_count:\nmax_iterations: ~\n'))?.max_iterations).toBe(10);
  });

  it('allows nine turns when it names no maximum', () => {
    const world = holding(fixture('only-a-promise.md'));
    let turns = 1;
    while (answer(world, 'hm').exitCode === 2) turns += 1;
    expect(turns).toBe(9);
    expect(world.files.get(FILE)).toBe(
      fixture('only-a-promise.md').replace('active: true\n', 'active: true\niteration_count: 10\n'),
    );
  });

  it('does not start a loop that is not switched on', () => {
    for (const name of ['no-switch.md', 'off.md']) {
      const world = holding(fixture(name));
      expect(answer(world, 'hm').exitCode).toBe(0);
      expect(world.files.get(FILE)).toBe(fixture(name));
    }
  });

  it.each([
    [plain(1, 10).replace('"All tests passing"', '"All tests'), /^line 4: .*quotation mark/u],
    [plain(1, 10).replace('max_iterations: 10', 'max_iterations: [10'), /^line 3: /u],
    [plain(1, 10).replace('max_iterations: 10', 'max_iterations 10'), /^line 3: /u],
    [plain(1, 10).replace('active: true', '\tactive: true'), /^line [45]: /u],
    [plain(1, 10).replace('active: true', 'active: *nobody'), /^line 5: /u],
    [plain(1, 10).replace('10', 'ten'), /^line 3: max_iterations is "ten", but must be a whole number$/u],
    [plain(1, 10).replace(': 1\n', ': 1.5\n'), /^line 2: iteration_count is "1.5", but must be a whole number$/u],
    [plain(1, 10).replace('active: true', 'active: yes'), /^line 5: active is "yes", but must be true or false$/u],
    [plain(1, 10).replaceAll('\n', '\r\n').replace('10', 'ten'), /^line 3: max_iterations is "ten"/u],
    [`\n${plain(1, 10)}`, /^line 1: the file must begin with a line "---"$/u],
    [fixture('no-delimiters.md'), /^line 1: the file must begin with a line "---"$/u],
    [
      plain(1, 10).replace('\n---\n\nThe goal', '\n\nThe goal'),
      /^line 1: the front matter that begins here has no closing "---"$/u,
    ],
    ['---\n- a list\n---\n', /^line 2: the front matter must be lines of "name: value"$/u],
    ['', /^it is empty$/u],
  ])('names the line of what is wrong: %j', (broken, why) => {
    const { reading } = holding(broken).stop(CONTINUATION_LOOP_FILE, 'hm');
    expect(reading).toEqual({ kind: 'invalid', why: expect.stringMatching(why) as string });
  });

  it('is ignored, with a reason, when its YAML is broken, its delimiters are missing or its numbers are invalid', () => {
    for (const broken of [
      fixture('broken-yaml.md'),
      fixture('no-delimiters.md'),
      '',
      `\n${plain(1, 10)}`,
      plain(1, 10).replace('10', 'ten'),
      plain(1, 10).replace(': 1\n', ': 1.5\n'),
      plain(1, 10).replace('10', '1e300'),
      plain(1, 10).replace('10', '.inf'),
    ]) {
      const world = holding(broken);
      expect(answer(world, 'hm').exitCode).toBe(0);
      expect(world.files.get(FILE)).toBe(broken);
      expect(stravinsky.read(broken)).toMatchObject({
        kind: 'invalid',
        why: expect.stringMatching(/^line \d: |^it is empty$/u) as string,
      });
    }
  });

  it('is read with comments, quoted numbers and any spelling of true', () => {
    const odd = text('# a comment\niteration_count: "3" # three\nmax_iterations: \'12\'\nactive: "TRUE"\n');
    expect(parseState(odd)).toMatchObject({ iteration_count: 3, max_iterations: 12, active: true });
  });

  it('has a promise as it is written, when YAML takes it for a number or a list', () => {
    expect(parseState(text('completion_promise: 1.0\n'))?.completion_promise).toBe('1.0');
    expect(parseState(text('completion_promise: [All done, "No errors"]\n'))?.completion_promise).toBe(
      'All done|No errors',
    );
  });

  it('has its goal below the front matter, and allows more delimiters there', () => {
    const reading = stravinsky.read(fixture('odd-windows.md'));
    expect(reading).toMatchObject({
      goal: expect.stringMatching(/^Goal with a rule:[^]*without a newline$/u) as string,
    });
  });

  it('can be made for a goal and any promise, and reads back the same', () => {
    const promise = 'It\'s "done": 100 % #1 \\ {{GOAL}}';
    const made = newContinuation({ goal: 'Your goal description here.', completionPromise: promise });
    expect(parseState(made)).toEqual({
      iteration_count: 1,
      max_iterations: 10,
      completion_promise: promise,
      active: true,
      body: '\nYour goal description here.\n',
    });
    expect(answer(holding(made), `so ${promise}`).exitCode).toBe(0);
  });

  it('can be made from the open TODOs', () => {
    const todos = [
      { content: 'Write docs', status: 'pending' },
      { content: 'Fix it', status: 'in_progress' },
      { content: 'Begin', status: 'completed' },
    ] as const;
    const made = continuationFromTodos(todos, { maxIterations: 6 }) ?? '';
    expect(parseState(made)).toMatchObject({
      max_iterations: 6,
      completion_promise: 'All TODOs complete',
      body: '\nComplete every open TODO:\n- Fix it\n- Write docs\n',
    });
    expect(continuationFromTodos([{ content: 'Begin', status: 'completed' }])).toBeUndefined();
  });
});
