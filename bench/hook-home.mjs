// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS, DEFAULT_TIMING, NATIVE_CLAIM, decide } from '../dist/core.js';
import { openFileStore } from '../dist/index.js';

export const SESSION = { host: /** @type {const} */ ('claude-code'), id: 'session-1' };
/** In the form of the ids of `tireless start`. */
export const LOOP = '261116-0559-k3x9q2';

/**
 * A home with a loop armed for the session, in its sixth iteration, one minute each.
 * @param {string} home @param {string} project @param {'unlimited' | number} [noProgressMax]
 */
export function armHome(home, project, noProgressMax = DEFAULT_LIMITS.noProgressMax) {
  const store = openFileStore({ home });
  const begin = Date.now() - 10 * 60_000;
  const at = (/** @type {number} */ minute) => new Date(begin + minute * 60_000).toISOString();
  const clock = (/** @type {number} */ minute) => ({ wallMs: begin + minute * 60_000, monotonicMs: minute, boot: 'b' });
  const spec = /** @type {any} */ ({
    version: 1,
    goal: 'Make every test of the project pass, and change nothing that the tests do not ask for.',
    driver: 'session',
    claim: NATIVE_CLAIM,
    claimRequired: false,
    checks: [],
    checksInOrder: false,
    criteria: [],
    protect: [],
    limits: { ...DEFAULT_LIMITS, iterationsMax: 'unlimited', durationMaxMs: 'unlimited', noProgressMax },
    timing: DEFAULT_TIMING,
    approveFinish: false,
  });
  const event = /** @type {any} */ ({
    kind: 'loop-started',
    loop: LOOP,
    spec,
    session: SESSION,
    cwd: project,
    machine: 'm',
  });
  let result = store.create(LOOP, { at: at(0), event, evidence: { clock: clock(0) }, decision: { kind: 'record' } });
  store.bindSession(SESSION, LOOP);
  for (let minute = 1; minute <= 6; minute++) {
    if (result.kind !== 'committed') throw new Error('nobody else is here');
    const { spec: asked, state, head } = result.loaded;
    const next = /** @type {any} */ (
      minute === 1 ? { kind: 'baseline-taken' } : { kind: 'turn-ended', iteration: null, worker: null }
    );
    const evidence = /** @type {any} */ ({
      clock: clock(minute),
      workspace: `w${minute}`,
      sentBack: true,
      message: {
        preview: `Turn ${minute}. ${'I looked at the tests. '.repeat(20)}`,
        bytes: 500,
        sketch: [minute, 7, 9],
      },
      claim: { made: null, blocked: null },
    });
    const decision = decide(asked, state, next, evidence);
    result = store.commit(LOOP, head, { at: at(minute), event: next, evidence, decision });
  }
  store.close();
}

/** A transcript of that size whose end is the same at every size; everything before it is a hole. @param {string} file @param {number} bytes */
export function makeTranscript(file, bytes) {
  const said = (/** @type {string} */ id) =>
    JSON.stringify({
      type: 'assistant',
      message: { role: 'assistant', id, content: [{ type: 'text', text: 'I looked at the tests. '.repeat(40) }] },
    });
  // The transcript of a loop's session after some iterations.
  const answered = JSON.stringify({ isSidechain: false, type: 'system', subtype: 'stop_hook_summary', hookCount: 1 });
  const lines = [
    '',
    JSON.stringify({ type: 'user', message: { role: 'user', content: 'go on' } }),
    said('m0'),
    answered,
    said('m1'),
    answered,
    said('m2'),
  ];
  const end = `${lines.join('\n')}\n`;
  const descriptor = openSync(file, 'w');
  ftruncateSync(descriptor, Math.max(0, bytes - end.length));
  closeSync(descriptor);
  appendFileSync(file, end);
}

/** The transcript after a turn that wrote this many bytes of tool results, 60 KB each. @param {string} file @param {number} bytes */
export function makeLongTurn(file, bytes) {
  const message = (/** @type {'user' | 'assistant'} */ role, /** @type {object} */ block) =>
    JSON.stringify({ isSidechain: false, type: role, message: { role, id: 'm', content: [block] } });
  const answered = JSON.stringify({ isSidechain: false, type: 'system', subtype: 'stop_hook_summary', hookCount: 1 });
  const said = message('assistant', { type: 'text', text: 'I looked at the tests. '.repeat(40) });
  const used = message('assistant', { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } });
  const result = message('user', { type: 'tool_result', tool_use_id: 't', content: 'ok 1 - adds two\n'.repeat(3500) });
  const pair = `${used}\n${result}\n`;
  writeFileSync(file, `${said}\n${answered}\n${said}\n${answered}\n`);
  for (let written = 0; written < bytes; written += pair.length) appendFileSync(file, pair);
  appendFileSync(file, `${said}\n`);
}

/** @param {string} project @param {number} files */
export function makeRepository(project, files) {
  mkdirSync(join(project, 'src'), { recursive: true });
  for (let index = 0; index < files; index++)
    writeFileSync(join(project, 'src', `f${index}.ts`), `export const f = ${index};\n`);
  spawnSync('git', ['init', '-q', project]);
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...person, '-C', project, 'add', '-A']);
  execFileSync('git', [...person, '-C', project, 'commit', '-q', '-m', 'all of it']);
}
