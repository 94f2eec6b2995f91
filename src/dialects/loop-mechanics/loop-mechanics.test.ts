import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aDialectWorld } from '../../../test/support/dialect-world.ts';
import type { DialectWorld } from '../../../test/support/dialect-world.ts';
import type { AbstainReason } from '../../core/decision.ts';
import type { Words } from '../dialect.ts';
import { replyIn } from '../dialect.ts';
import { parseSpec } from './spec.ts';
import type { LoopState } from './state.ts';
import { readLoopState, setLoopState } from './state.ts';
import { STATE_FILE } from './descriptor.ts';
import { announcement, promptHook, promptHookText } from './words.ts';
import { loopMechanics } from './dialect.ts';

const FILE = `/project/${STATE_FILE}`;
const FIXTURES = path.resolve(import.meta.dirname, '../../../test/fixtures/dialects/loop-mechanics');
const documented = readFileSync(path.join(FIXTURES, 'documented.json'), 'utf8');
const everyField = readFileSync(path.join(FIXTURES, 'every-field.json'), 'utf8');
const met = { 'test passes': true, 'no lint errors': true };

function world(text: string | null = documented): DialectWorld {
  const made = aDialectWorld(loopMechanics);
  if (text !== null) made.files.set(FILE, text);
  return made;
}

function edit(made: DialectWorld, changes: Partial<LoopState>): void {
  made.files.set(FILE, setLoopState(made.files.get(FILE) ?? '', changes));
}

function fileOf(made: DialectWorld): LoopState {
  const found = readLoopState(made.files.get(FILE) ?? '');
  if (found.kind === 'invalid') throw new Error(found.why);
  return found.state;
}

/** What goes to stdout. */
function said(made: DialectWorld, message: string): unknown {
  const { decision, loaded, reading } = made.stop(STATE_FILE, message);
  const reply = replyIn('ok', loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading }));
  expect(reply.exitCode).toBe(0);
  expect(reply.stderr).toBe('');
  return JSON.parse(reply.stdout);
}

describe('the two-phase stop check', () => {
  it('is ok when there is no state file', () => {
    expect(said(world(null), '<loop-complete>')).toEqual({ ok: true, reason: 'no active loop' });
  });

  it.each(['status-missing', 'status-malformed'])('is ok when criteriaStatus is missing or malformed: %s', (name) => {
    const made = world(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));
    expect(said(made, 'hm')).toMatchObject({ ok: true });
    expect(made.store.list({ ended: 'both' })).toEqual([]);
  });

  it('is ok when criteriaStatus breaks in the middle of a loop', () => {
    const made = world();
    said(made, 'hm');
    const broken = (made.files.get(FILE) ?? '').replace('"no lint errors": false', '"no lint errors": maybe');
    made.files.set(FILE, broken);
    expect(said(made, 'hm')).toMatchObject({ ok: true });
    expect(made.files.get(FILE)).toBe(broken);
  });

  it.each([
    ['', 'it is empty'],
    ['[]', 'it is not a JSON object'],
    ['{\n  "spec": "x",\n  "criteriaStatus": {"a": maybe}\n}', 'line 3 is not JSON: '],
    ['{\r\n  "spec": "x"\r\n  "iteration": 2\r\n}', 'line 3 is not JSON: comma expected'],
    ['{\n  "spec": "half', 'line 2 is not JSON: unexpected end of string'],
    ['{"criteriaStatus": {"a": "yes"}}', 'criteriaStatus is {"a":"yes"}, but must '],
    ['{"criteriaStatus": {"a": false}, "iteration": "two"}', 'iteration is "two", but must '],
  ])('names the file, and the line or the field that cannot be read: %j', (text, why) => {
    const made = world(text);
    expect(said(made, 'hm')).toEqual({
      ok: true,
      reason: expect.stringContaining(`no active loop: .loop/state.json cannot be read: ${why}`) as string,
    });
    const { decision, loaded, reading } = made.stop(STATE_FILE, 'hm');
    const { notice } = loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading });
    expect(notice).toContain(`tireless: .loop/state.json cannot be read (${why}`);
  });

  it('names the criteria that are false', () => {
    expect(said(world(), 'hm')).toEqual({ ok: false, reason: 'unmet: no lint errors' });
  });

  it('refuses the tag while a criterion is false', () => {
    expect(said(world(), 'All done. <loop-complete>')).toEqual({ ok: false, reason: 'unmet: no lint errors' });
  });

  it('counts a listed criterion without a status as unmet', () => {
    const made = world();
    edit(made, { criteria: ['test passes', 'docs written'], criteriaStatus: { 'test passes': true } });
    expect(said(made, '<loop-complete>')).toEqual({ ok: false, reason: 'unmet: docs written' });
  });

  it.each([
    '<loop-complete>',
    'Done. <loop-complete/>',
    'x <loop-complete /> y',
    '<loop-complete>all green</loop-complete>',
  ])('is complete when all criteria are true and the message has %s', (message) => {
    const made = world();
    edit(made, { criteriaStatus: met });
    expect(said(made, message)).toEqual({ ok: true, reason: 'complete' });
    expect(fileOf(made).status).toBe('completed');
  });

  it('asks for the next step, and then for the tag, when all criteria are true without it', () => {
    const made = world();
    edit(made, { criteriaStatus: met });
    expect(said(made, 'all green')).toEqual({ ok: false, reason: 'next: step2' });
    edit(made, { completedSteps: ['step1', 'step2'], remainingSteps: [] });
    expect(said(made, 'all green')).toEqual({
      ok: false,
      reason: 'next: verify every criterion once more, then output <loop-complete>',
    });
  });

  it.each(['loop-complete', '<loop-completed>', '<Loop-Complete>', '</loop-complete>'])(
    'takes no %s for the tag',
    (message) => {
      const made = world();
      edit(made, { criteriaStatus: met });
      expect(said(made, message)).toMatchObject({ ok: false });
    },
  );

  it('does not name the tag in its own words while something is unmet', () => {
    const { decision, loaded, reading } = world().stop(STATE_FILE, 'hm');
    const { text } = loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading });
    expect(text).not.toContain('<loop-complete');
    expect(text).toContain('unmet: no lint errors\nNext: step2');
  });

  it('completes unverified: the criteria are the word of the agent', () => {
    const made = world();
    edit(made, { criteriaStatus: met });
    expect(made.stop(STATE_FILE, '<loop-complete>').decision).toMatchObject({ kind: 'complete', verified: false });
  });
});

describe('a stop that is not judged', () => {
  const words = (because: AbstainReason): Words => {
    const made = world();
    const { loaded, reading } = made.stop(STATE_FILE, 'hm');
    return loopMechanics.wordsFor({ decision: { kind: 'abstain', because }, loop: loaded ?? null, reading });
  };

  it('has the answer of the hook that reported it first, and hands its text over only once', () => {
    const repeated = words('duplicate');
    expect(JSON.parse(replyIn('ok', repeated).stdout)).toEqual({ ok: false, reason: 'unmet: no lint errors' });
    expect(replyIn('json', repeated).stdout).toBe('{}\n');
  });

  it.each([
    ['background-work', 'not judged: the agent still has work in the background'],
    ['user-first', 'not judged: the user has said something first'],
    ['not-awaited', 'not judged: this turn was reported before'],
    ['no-loop', 'no active loop of this session: the loop in .loop/state.json belongs to another session'],
  ] as const)('is not reported as a stop without a loop: %s', (because, reason) => {
    expect(words(because)).toMatchObject({ sendsBack: false, reason: expect.stringContaining(reason) as string });
  });
});

describe('the state file', () => {
  it('has all fields of the document, and those of its task', () => {
    expect(readLoopState(everyField)).toMatchObject({
      kind: 'state',
      state: {
        criteriaStatus: { 'all endpoints answer': false, 'npm test passes': false },
        steps: ['list the endpoints', 'update /users', 'update /orders'],
        remainingSteps: ['update /users', 'update /orders'],
        iteration: 3,
        cost: 4.5,
        shape: 'tool',
        budget: 25,
        maxIterations: 10,
        startedAt: '2026-01-26T10:00:00.000Z',
        errors: [{ class: 'logic', message: '1 test failed' }],
      },
    });
  });

  it('has no limit where it says null', () => {
    const found = readLoopState('{"criteriaStatus":{"a":false},"budget":null,"cost":null,"maxIterations":null}');
    expect(found).toMatchObject({ kind: 'state', state: { criteriaStatus: { a: false } } });
    const state = found.kind === 'state' ? found.state : {};
    expect(['budget', 'cost', 'maxIterations'].filter((key) => key in state)).toEqual([]);
  });

  it('keeps errors of any form', () => {
    const found = readLoopState('{"criteriaStatus":{},"errors":["oh",{"message":"no"},7,{"a":1}]}');
    expect(found.kind === 'state' ? found.state.errors?.map((error) => error.message) : null).toEqual([
      'oh',
      'no',
      '7',
      '{"a":1}',
    ]);
  });

  it('counts an iteration once, whether or not the agent counts as well', () => {
    const made = world();
    made.stop(STATE_FILE, 'hm');
    expect(fileOf(made).iteration).toBe(3);
    edit(made, { iteration: 4, completedSteps: ['step1', 'step2'] });
    made.stop(STATE_FILE, 'hm');
    expect(fileOf(made).iteration).toBe(4);
    edit(made, { iteration: 9 });
    made.stop(STATE_FILE, 'hm');
    expect(fileOf(made).iteration).toBe(10);
  });

  it('gets a checkpoint after every iteration', () => {
    const made = world(everyField);
    made.stop(STATE_FILE, 'hm');
    const first = fileOf(made).lastCheckpoint;
    made.stop(STATE_FILE, 'hm');
    expect([first, fileOf(made).lastCheckpoint]).toEqual([...new Set([first, fileOf(made).lastCheckpoint])]);
    expect(first).not.toBe('2026-01-26T10:20:00.000Z');
  });

  it('is not taken at its word when the agent writes "completed" too early', () => {
    const made = world();
    made.stop(STATE_FILE, 'hm');
    edit(made, { status: 'completed' });
    expect(said(made, 'done')).toEqual({ ok: false, reason: 'unmet: no lint errors' });
    expect(fileOf(made).status).toBe('in_progress');
    edit(made, { status: 'completed', criteriaStatus: met });
    expect(said(made, '<loop-complete>')).toEqual({ ok: true, reason: 'complete' });
  });

  it('is not taken at its word when it says "completed" before the first stop and a criterion is open', () => {
    const made = world();
    edit(made, { status: 'completed' });
    const { decision, loaded, reading } = made.stop(STATE_FILE, 'All done. <loop-complete>');
    const words = loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading });
    expect(words).toMatchObject({ sendsBack: true, reason: 'unmet: no lint errors' });
    expect(words.notice).toBe(
      'tireless: .loop/state.json says "completed", but 1 criterion is open, so the loop continues: no lint errors. To end the loop, set status to "stopped", or delete the file.',
    );
    expect(words.text).toContain('status "completed" was reset');
    expect(fileOf(made).status).toBe('in_progress');
  });

  it('starts no loop when it says "completed" and every criterion is true', () => {
    const made = world();
    edit(made, { status: 'completed', criteriaStatus: met });
    expect(said(made, 'hm')).toEqual({ ok: true, reason: 'no active loop' });
    expect(made.store.list({ ended: 'both' })).toEqual([]);
  });

  it('ends the loop when it is switched off by hand', () => {
    const made = world();
    made.stop(STATE_FILE, 'hm');
    edit(made, { status: 'stopped' });
    expect(said(made, 'hm')).toEqual({ ok: true, reason: 'cancelled' });
    expect(fileOf(made).status).toBe('stopped');
  });

  it('leaves the placeholders in a step as they are', () => {
    const made = world();
    edit(made, { remainingSteps: ['fill {{GOAL}} and $&'] });
    const { decision, loaded, reading } = made.stop(STATE_FILE, 'hm');
    expect(loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading }).text).toContain('fill { {GOAL}} and $&');
  });
});

describe('the limits', () => {
  it('stops after 20 iterations when the file names no maximum', () => {
    const made = world(setLoopState(documented, { iteration: 1 }));
    let continued = 0;
    while (made.stop(STATE_FILE, 'hm').decision.kind === 'continue') continued++;
    expect(continued).toBe(19);
    expect(fileOf(made)).toMatchObject({ status: 'halted', iteration: 20 });
  });

  it('stops after exactly maxIterations', () => {
    const made = world(setLoopState(documented, { iteration: 1, maxIterations: 3 }));
    expect([1, 2, 3].map(() => made.stop(STATE_FILE, 'hm').decision.kind)).toEqual(['continue', 'continue', 'halt']);
    expect(said(made, 'hm')).toEqual({ ok: true, reason: 'no active loop' });
  });

  it('stops when the budget is used up', () => {
    const made = world(everyField);
    expect(made.stop(STATE_FILE, 'hm').decision.kind).toBe('continue');
    edit(made, { cost: 25.5 });
    expect(made.stop(STATE_FILE, 'hm').decision).toMatchObject({
      kind: 'halt',
      guard: 'cost-max',
      limit: 25,
      actual: 25.5,
    });
  });

  it('asks the agent for the cost at the first stop, and a person when there is none at the second', () => {
    const made = world(setLoopState(documented, { budget: 5 }));
    const first = made.stop(STATE_FILE, 'hm');
    const asked = loopMechanics.wordsFor({ ...first, loop: first.loaded ?? null });
    expect(asked).toMatchObject({ sendsBack: true, reason: expect.stringMatching(/^unmet: /u) as string });
    expect(asked.text).toContain(`Keep "cost" in ${STATE_FILE} up to date`);
    const { decision, loaded, reading } = made.stop(STATE_FILE, 'hm');
    expect(decision).toMatchObject({ kind: 'pause', cause: 'usage-unknown' });
    const { notice } = loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading });
    expect(notice).toContain(`Keep the cost in ${STATE_FILE}`);
    expect(notice).toContain(`tireless resume ${loaded?.state.loop ?? ''} --max-cost unlimited`);
    expect(notice).not.toContain('--max-tokens');
  });

  it('repeats at every stop how to continue then: a plain resume would only pause again', () => {
    const made = world(setLoopState(documented, { budget: 5 }));
    made.stop(STATE_FILE, 'the first');
    for (const message of ['hm', 'hm again']) {
      const { decision, loaded, reading } = made.stop(STATE_FILE, message);
      const { reason, notice } = loopMechanics.wordsFor({ decision, loop: loaded ?? null, reading });
      for (const text of [reason, notice]) {
        expect(text).toContain(`Keep the cost in ${STATE_FILE}`);
        expect(text).toContain(`tireless resume ${loaded?.state.loop ?? ''} --max-cost unlimited`);
      }
    }
  });
});

describe('the words around a loop', () => {
  it('announces a loop in progress to a new session, with its next step', () => {
    expect(announcement(documented)).toBe(
      [
        'A loop is in progress in .loop/state.json: original user request',
        'Iteration 2; 1 of 2 steps done.',
        'Open criteria: no lint errors',
        'Resume with: step2',
      ].join('\n'),
    );
  });

  it('announces a long request by its beginning', () => {
    const text = announcement(setLoopState(documented, { spec: `Begin ${'x'.repeat(100_000)}` })) ?? '';
    expect(text).toContain('state.json: Begin xxx');
    expect(text).toContain('bytes left out]\nIteration 2');
    expect(text.length).toBeLessThan(4000);
  });

  it.each([setLoopState(documented, { status: 'completed' }), '{', '[]', ''])('announces nothing for %j', (text) => {
    expect(announcement(text)).toBeNull();
  });

  it('has a prompt for a model that judges, which ends with "JSON ONLY:"', () => {
    const text = promptHookText();
    expect(text).toMatch(/JSON ONLY:$/u);
    for (const part of ['$ARGUMENTS', '.loop/state.json', 'criteriaStatus', 'stop_hook_active', '3+ consecutive']) {
      expect(text).toContain(part);
    }
    // Such a model has no tools: it sees the conversation, and the file only as far as it appears there.
    expect(text).toContain('in the transcript');
    expect(promptHook()).toEqual({ type: 'prompt', prompt: text, timeout: 30 });
  });
});

describe('parseSpec', () => {
  it('finds criteria under their heading or in boxes, and steps in numbered lists', () => {
    const parsed = parseSpec(
      '# Move the API\n\n1. list the endpoints\n2. update them\n\nDone when:\n- npm test passes\n- [ ] no lint errors\n',
    );
    expect(parsed).toMatchObject({
      summary: 'Move the API',
      steps: ['list the endpoints', 'update them'],
      criteria: ['npm test passes', 'no lint errors'],
    });
  });

  it('takes a list without numbers for steps when nothing else is one', () => {
    expect(parseSpec('Update the endpoints:\n- /users\n* /orders\n\nDone when:\n- npm test passes')).toMatchObject({
      summary: 'Update the endpoints:',
      steps: ['/users', '/orders'],
      criteria: ['npm test passes'],
    });
    expect(parseSpec('Move it:\n1. list\n   - by hand\n2. update').steps).toEqual(['list', 'update']);
    expect(parseSpec('- update /users\n- update /orders')).toMatchObject({
      summary: 'update /users',
      steps: ['update /users', 'update /orders'],
    });
  });

  it('splits a sentence at "then"', () => {
    expect(parseSpec('write the test, then fix the bug and then update the docs').steps).toEqual([
      'write the test',
      'fix the bug',
      'update the docs',
    ]);
  });

  it('makes one step and one criterion of what cannot be taken apart', () => {
    expect(parseSpec('fix the bug')).toMatchObject({ steps: ['fix the bug'], criteria: ['fix the bug'] });
  });
});
