import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { HookAnswer, Milestone, NewContinuation, StopHookInput } from '../../src/facades/stravinsky/index.ts';
import {
  CONTINUATION_LOOP_FILE,
  CONTINUATION_PROMPT,
  continuationFromTodos,
  continuationLoopFile,
  DEFAULT_MAX_ITERATIONS,
  goalFrom,
  loopTemplate,
  onMilestone,
  parseTodos,
  readState,
  startLoop,
  stopHook,
  TIME_IS_UP,
  todoReminder,
  toolHook,
} from '../../src/facades/stravinsky/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aCheck, aClock } from '../support/a-loop.ts';
import { faultOf } from '../support/fault-of.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/dialects/stravinsky');
const GO_ON = { exitCode: 2, stderr: `${CONTINUATION_PROMPT}\n` };
const LET_GO = { exitCode: 0, stderr: '' };

let root = '';
let home = '';
let cwd = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tireless-stravinsky-'));
  home = path.join(root, 'home');
  cwd = path.join(root, 'project');
  mkdirSync(path.join(cwd, '.stravinsky'), { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const stateFile = (): string => path.join(cwd, '.stravinsky', 'continuation-loop.md');
const put = (text: string): void => writeFileSync(stateFile(), text);
const putFixture = (name: string): void => put(readFileSync(path.join(FIXTURES, name), 'utf8'));
const stop = (message: string, more: Partial<StopHookInput> = {}): HookAnswer =>
  stopHook({ cwd, home, session: 'one', message, ...more });

describe('the Stravinsky stop hook on real files', () => {
  it('lets the agent stop where there is no state file', () => {
    expect(stop('hm')).toEqual(LET_GO);
    expect(existsSync(stateFile())).toBe(false);
  });

  it('continues until the promise is said, then deletes the file', () => {
    putFixture('tests-until-passing.md');
    expect(stop('3 failed')).toEqual(GO_ON);
    expect(stop('1 failed')).toEqual(GO_ON);
    expect(readState(cwd)?.iteration_count).toBe(3);
    expect(stop('Done. ✅ ALL tests passing')).toEqual(LET_GO);
    expect(existsSync(stateFile())).toBe(false);
  });

  it.each(['', '\n', '\nAll tests passing\n', '\n- All tests passing.\n', '\nALL TESTS  PASSING\n'])(
    'finds the promise at the first stop with the body %j',
    (body) => {
      const head =
        '---\niteration_count: 1\nmax_iterations: 10\ncompletion_promise: "All tests passing"\nactive: true\n---\n';
      put(`${head}${body}`);
      expect(stop('Still at it.')).toEqual(GO_ON);
      put(`${head}${body}`);
      rmSync(home, { recursive: true });
      expect(stop('All tests passing')).toEqual(LET_GO);
      expect(existsSync(stateFile())).toBe(false);
      put(`${head}${body}`);
      expect(stop(`Done: ${body.trim() === '' ? 'all tests passing' : body.trim()}`)).toEqual(LET_GO);
      expect(existsSync(stateFile())).toBe(false);
    },
  );

  it('stops at the maximum and tells the user', () => {
    put(readFileSync(path.join(FIXTURES, 'plain.md'), 'utf8').replace('10', '3'));
    expect(stop('a')).toEqual(GO_ON);
    const notice = 'The continuation loop has stopped: 3 of 3 iterations are used.';
    expect(stop('b')).toEqual({ ...LET_GO, notice });
    expect(readState(cwd)).toMatchObject({ iteration_count: 3, max_iterations: 3 });
  });

  it('shows the user when a loop waits for them, and how it continues', () => {
    putFixture('plain.md');
    const answer = stop('hm', { extras: { limits: { costMaxUsd: 1 } } });
    expect(answer).toEqual({
      ...LET_GO,
      notice: expect.stringMatching(
        /paused.*tireless explain \S+; .*tireless resume \S+ --max-cost unlimited --max-tokens unlimited$/u,
      ) as string,
    });
    // Not only once: whoever comes back later sees it too.
    expect(stop('again')).toEqual({
      ...LET_GO,
      notice: expect.stringMatching(
        /is paused: .*to continue without that limit: tireless resume \S+ --max-cost unlimited --max-tokens unlimited$/u,
      ) as string,
    });
    expect(stop('again', { session: 'two' })).toEqual(LET_GO);
  });

  it('heeds an increased maximum in the middle of the loop', () => {
    put(readFileSync(path.join(FIXTURES, 'plain.md'), 'utf8').replace('max_iterations: 10', 'max_iterations: 3'));
    stop('a');
    put(readFileSync(stateFile(), 'utf8').replace('max_iterations: 3', 'max_iterations: 20'));
    expect(stop('b')).toEqual(GO_ON);
    expect(stop('c')).toEqual(GO_ON);
  });

  it('ignores a broken file with a notice, and leaves it alone', () => {
    putFixture('broken-yaml.md');
    const answer = stop('hm');
    expect(answer).toMatchObject(LET_GO);
    expect(answer.notice).toContain(`${CONTINUATION_LOOP_FILE} is ignored: `);
    expect(readFileSync(stateFile(), 'utf8')).toBe(readFileSync(path.join(FIXTURES, 'broken-yaml.md'), 'utf8'));
  });

  it('does nothing without a session, and reports it', () => {
    putFixture('plain.md');
    expect(stop('hm', { session: null })).toEqual({ ...LET_GO, notice: expect.stringContaining('session') as string });
    expect(readState(cwd)?.iteration_count).toBe(1);
  });

  it('belongs to the first session that stops, and to no other', () => {
    putFixture('plain.md');
    expect(stop('hm')).toEqual(GO_ON);
    expect(stop('All tests passing', { session: 'two' })).toEqual(LET_GO);
    expect(stop('hm', { host: 'codex' })).toEqual(LET_GO);
    expect(readState(cwd)?.iteration_count).toBe(2);
  });

  it('counts the same stop reported twice once', () => {
    putFixture('plain.md');
    expect(stop('hm', { transcriptBytes: 100 })).toEqual(GO_ON);
    expect(stop('hm', { transcriptBytes: 100 })).toEqual(LET_GO);
    expect(stop('hm', { transcriptBytes: 200 })).toEqual(GO_ON);
    expect(readState(cwd)?.iteration_count).toBe(3);
  });

  // Nobody is refused as root.
  it.skipIf(process.getuid?.() === 0)(
    'lets the agent stop when the file cannot be written, and notifies the user',
    () => {
      putFixture('plain.md');
      chmodSync(path.dirname(stateFile()), 0o500);
      expect(stop('hm')).toEqual({ ...LET_GO, notice: expect.stringContaining(stateFile()) as string });
      chmodSync(path.dirname(stateFile()), 0o700);
      expect(stop('hm')).toEqual(GO_ON);
    },
  );

  it('lets the agent stop and tells the user when loops cannot be kept', () => {
    putFixture('plain.md');
    writeFileSync(home, 'a file where a folder should be');
    expect(stop('hm')).toEqual({ ...LET_GO, notice: expect.stringContaining(home) as string });
    expect(readState(cwd)?.iteration_count).toBe(1);
    rmSync(home);
    expect(stop('hm')).toEqual(GO_ON);
  });

  it('lets the agent stop and tells the user when the file is a folder or is not UTF-8', () => {
    mkdirSync(stateFile());
    expect(stop('hm')).toMatchObject({ ...LET_GO, notice: expect.stringContaining(stateFile()) as string });
    rmSync(stateFile(), { recursive: true });
    const latin1 = Buffer.from(
      readFileSync(path.join(FIXTURES, 'plain.md'), 'utf8').replace('notes', 'caf\u00e9'),
      'latin1',
    );
    writeFileSync(stateFile(), latin1);
    expect(stop('hm')).toMatchObject({ ...LET_GO, notice: expect.stringContaining('UTF-8') as string });
    expect(readFileSync(stateFile())).toEqual(latin1);
  });

  it('adds lines of its own only when the user set checks', () => {
    putFixture('plain.md');
    const answer = stop('All tests passing', { extras: { checks: [aCheck('npm test')] } });
    expect(answer.exitCode).toBe(2);
    expect(answer.stderr).toContain(`${CONTINUATION_PROMPT}\n\n`);
    expect(answer.stderr).toContain('npm test');
  });

  it('keeps a completed loop in the history, with its goal, and replays it the same', () => {
    putFixture('feature.md');
    stop('hm');
    stop('Feature complete and tested');
    const store = openFileStore({ home });
    try {
      const ended = store.list({ ended: true });
      expect(ended).toHaveLength(1);
      const [loop] = ended;
      expect(loop?.spec.goal).toContain('Implement OAuth refresh token flow\n1. Add refresh endpoint');
      expect(loop?.spec.dialect).toMatchObject({ name: 'stravinsky', file: CONTINUATION_LOOP_FILE });
      const entries = store.entries(loop?.state.loop ?? '');
      expect(entries.length).toBeGreaterThan(3);
      expect(replay(entries).differences).toEqual([]);
    } finally {
      store.close();
    }
  });

  it('keeps the file it deletes, byte for byte, beside the journal', () => {
    const text = readFileSync(path.join(FIXTURES, 'odd-windows.md'), 'utf8');
    put(text);
    expect(stop('hm')).toEqual(GO_ON);
    expect(stop("it's done: really")).toEqual(LET_GO);
    expect(existsSync(stateFile())).toBe(false);
    const [loop = ''] = readdirSync(path.join(home, 'loops'));
    const archive = path.join(home, 'loops', loop, 'archive');
    const [kept = '', ...more] = readdirSync(archive);
    expect([kept, more]).toEqual([expect.stringMatching(/-continuation-loop\.md$/u), []]);
    expect(readFileSync(path.join(archive, kept), 'utf8')).toBe(
      text.replace('iteration_count: 5', 'iteration_count: 6'),
    );
  });

  it('starts the next loop from a new file, also from the same text again', () => {
    putFixture('plain.md');
    expect(stop('All tests passing')).toEqual(LET_GO);
    putFixture('chained.md');
    expect(stop('All tests passing')).toEqual(GO_ON);
    expect(stop('Documentation complete')).toEqual(LET_GO);
    putFixture('chained.md');
    expect(stop('Documentation complete')).toEqual(LET_GO);
    expect(existsSync(stateFile())).toBe(false);
    putFixture('chained.md');
    // A file system's clock may be some milliseconds behind.
    utimesSync(stateFile(), new Date(), new Date(Date.now() + 1000));
    expect(stop('hm')).toEqual(GO_ON);
    const store = openFileStore({ home });
    expect(store.list({ ended: 'both' })).toHaveLength(4);
    store.close();
  });
});

describe('the Stravinsky interface', () => {
  it('has the document’s constants', () => {
    expect(CONTINUATION_LOOP_FILE).toBe('.stravinsky/continuation-loop.md');
    expect(continuationLoopFile(cwd)).toBe(stateFile());
    expect(DEFAULT_MAX_ITERATIONS).toBe(10);
  });

  it('starts a loop with a state file, and refuses to run over an active one', () => {
    rmSync(path.dirname(stateFile()), { recursive: true });
    expect(readState(cwd)).toBeUndefined();
    startLoop(cwd, { goal: 'Your goal description here.', completionPromise: 'Goal achieved' });
    expect(readFileSync(stateFile(), 'utf8')).toBe(
      '---\niteration_count: 1\nmax_iterations: 10\ncompletion_promise: "Goal achieved"\nactive: true\n---\n\nYour goal description here.\n',
    );
    expect(() => startLoop(cwd, { goal: 'x', completionPromise: 'y' })).toThrow(/is active/u);
    expect(stop('hm')).toEqual(GO_ON);
  });

  it('starts a loop with the names of the document, and writes nothing that it was not given', () => {
    startLoop(cwd, { completion_promise: 'Goal achieved', max_iterations: 4, goal: 'Go.' });
    expect(readState(cwd)).toMatchObject({ max_iterations: 4, completion_promise: 'Goal achieved' });
    put('');
    const misspelled = { goal: 'x', completion_promis: 'y' } as unknown as NewContinuation;
    expect(faultOf(() => startLoop(cwd, misspelled))).toMatchObject({ code: 'USAGE' });
    expect(readFileSync(stateFile(), 'utf8')).toBe('');
  });

  it('starts the next loop over one that has reached its maximum', () => {
    put(readFileSync(path.join(FIXTURES, 'plain.md'), 'utf8').replace('10', '2'));
    expect(stop('a')).toMatchObject(LET_GO);
    expect(readState(cwd)).toMatchObject({ iteration_count: 2, max_iterations: 2, active: true });
    startLoop(cwd, { goal: 'Phase 2', completionPromise: 'Docs complete' });
    expect(stop('b')).toEqual(GO_ON);
    expect(readState(cwd)).toMatchObject({ iteration_count: 2, completion_promise: 'Docs complete' });
  });

  it('does not write over a file that is no state file', () => {
    put('notes of somebody\n');
    expect(faultOf(() => startLoop(cwd, { goal: 'x', completionPromise: 'y' })).code).toBe('STATE_FILE_INVALID');
    expect(readFileSync(stateFile(), 'utf8')).toBe('notes of somebody\n');
  });

  it('starts a loop from a template, with a maximum for its size', () => {
    const template = loopTemplate('fix-tests');
    expect(template).toBeDefined();
    if (template === undefined) return;
    startLoop(cwd, {
      goal: goalFrom(template, 'test_auth.py'),
      completionPromise: template.claim,
      maxIterations: template.iterationsMax,
    });
    expect(readState(cwd)).toMatchObject({ max_iterations: 15, completion_promise: 'All tests passing' });
    expect(stop('hm')).toEqual(GO_ON);
  });

  it('reminds of TODOs beside a running loop, each with its own text', () => {
    const todos = parseTodos('[{"content":"Add tests","status":"pending"}]');
    put(continuationFromTodos(todos) ?? '');
    const [continued, reminder] = [stop('hm').stderr, todoReminder(todos)];
    expect(continued).toMatch(/^\[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE\]/u);
    expect(reminder).toMatch(/^\[SYSTEM REMINDER - TODO CONTINUATION\]/u);
    expect(reminder).not.toContain('CONTINUATION LOOP ACTIVE');
    expect(readState(cwd)?.body).toContain('- Add tests');
    expect(stop('all todos complete')).toEqual(LET_GO);
  });

  it('refuses tools when an iteration takes longer than it may, and only in its own session', () => {
    putFixture('plain.md');
    const at = (ms: number): Pick<StopHookInput, 'clock'> => ({ clock: { read: () => aClock(ms) } });
    expect(stop('hm', at(0))).toEqual(GO_ON);
    const tool = (ms: number, session: string): HookAnswer =>
      toolHook({ cwd, home, session, iterationTimeoutMs: 60_000, ...at(ms) });
    expect(tool(59_999, 'one')).toEqual(LET_GO);
    expect(tool(60_000, 'one')).toEqual({ exitCode: 2, stderr: `${TIME_IS_UP}\n` });
    expect(tool(60_000, 'two')).toEqual(LET_GO);
    expect(stop('out of time', at(61_000))).toEqual(GO_ON);
    expect(tool(62_000, 'one')).toEqual(LET_GO);
  });

  it('calls back for the milestones of a loop', async () => {
    putFixture('plain.md');
    stop('hm');
    const room = openEmbeddedEngine({ home });
    const { store } = room;
    const [loaded] = store.list({ ended: false });
    const told: Milestone['kind'][] = [];
    const listening = onMilestone(
      { watch: store.watch, entries: async (loop) => store.entries(loop) },
      loaded?.state.loop ?? '',
      { notify: ({ kind }) => told.push(kind), failed: (error) => expect.fail(String(error)) },
    );
    stop('hm');
    await vi.waitFor(() => expect(told).toEqual(['iteration-counted']), { timeout: 5000 });
    stop('All tests passing');
    await vi.waitFor(() => expect(told).toEqual(['iteration-counted', 'iteration-counted', 'ended']), {
      timeout: 5000,
    });
    listening.stop();
    room.close();
  });
});
