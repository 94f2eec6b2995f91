/** The built hook as a host runs it: a shell, the guard, one process per stop. */
import {
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  appendFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { aCheck } from '../support/a-loop.ts';
import { aProject, aRepository } from '../support/a-project.ts';
import type { ArmedSession } from '../support/an-armed-session.ts';
import { anArmedSession } from '../support/an-armed-session.ts';

const DIST = path.join(import.meta.dirname, '../../dist');
const DONE = 'All is well.\n<promise>DONE</promise>';
const SILENT = { code: 0, stdout: '{}\n', stderr: '' };
/** The agent may stop, and the user reads that the loop is done. */
const COMPLETED = {
  code: 0,
  stdout: expect.stringMatching(/^\{"systemMessage":"tireless: completed, .*tireless explain a"\}\n$/u),
  stderr: '',
};

function promptIn(stdout: string): string {
  return JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

describe('an armed session', () => {
  it('continues until the claim; then its hook sleeps again', () => {
    const session = anArmedSession();
    expect(promptIn(session.stop({ last_assistant_message: 'still at it' }).stdout)).toContain('iteration 2');
    expect(promptIn(session.stop({ last_assistant_message: 'and on' }).stdout)).toContain('iteration 3');
    expect(existsSync(session.marker)).toBe(true);
    expect(session.stop({ last_assistant_message: DONE })).toEqual(COMPLETED);
    expect(session.loaded().state).toMatchObject({ status: 'completed', counted: 3 });
    expect(existsSync(session.marker)).toBe(false);
    expect(session.stop({ last_assistant_message: 'more' })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(replay(session.entries()).differences).toEqual([]);
  });

  it('says why when a limit ends the loop', () => {
    const session = anArmedSession({ limits: { ...anArmedSession().loaded().spec.limits, iterationsMax: 1 } });
    const { code, stdout } = session.stop({ last_assistant_message: 'still at it' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('tireless explain a') });
    expect(session.loaded().state.status).toBe('halted');
  });

  it('counts nothing while work goes on in the background, and tells the user what it waits for', () => {
    const session = anArmedSession();
    const before = readFileSync(session.journal);
    const server = { id: 'x', type: 'shell', status: 'running', command: 'npm run dev' };
    const { stdout } = session.stop({ last_assistant_message: DONE, background_tasks: [server] });
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('loop a waits') });
    expect(readFileSync(session.journal)).toEqual(before);
    expect(session.stop({ last_assistant_message: DONE, background_tasks: [] })).toEqual(COMPLETED);
  });

  it('is no other session', () => {
    const session = anArmedSession();
    const before = readFileSync(session.journal);
    expect(session.stop({ last_assistant_message: DONE }, { session: 'session-2' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(session.journal)).toEqual(before);
  });

  it('answers failures, tools and prompts of the user in the same process', () => {
    const session = anArmedSession();
    expect(session.stop({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })).toEqual(SILENT);
    expect(promptIn(session.stop({ hook_event_name: 'UserPromptSubmit', prompt: 'rather in blue' }).stdout)).toContain(
      'comes first',
    );
    expect(session.stop({ hook_event_name: 'StopFailure', error: 'overloaded' })).toEqual(SILENT);
    expect(session.loaded().state.waitedOutInRow).toBe(1);
  });

  it('has its checks run, and its beginning told, by the program behind the hook', () => {
    const project = aProject();
    const session = anArmedSession({ checks: [aCheck('test -e done')] }, project);
    expect(promptIn(session.stop({ last_assistant_message: DONE }).stdout)).toContain('test -e done');
    expect(promptIn(session.stop({ hook_event_name: 'SessionStart', source: 'compact' }).stdout)).toContain(
      'iteration 2',
    );
    writeFileSync(path.join(project, 'done'), '');
    expect(session.stop({ last_assistant_message: DONE })).toEqual(COMPLETED);
    expect(session.loaded().state.outcome).toEqual({ kind: 'completed', verified: true });
  });

  it.each([
    { needs: 'a check', checks: [aCheck('test -e done')], background: [] },
    { needs: 'nothing more', checks: [], background: [] },
    {
      needs: 'to wait',
      checks: [],
      background: [{ id: 'x', type: 'shell', status: 'running', command: 'npm run dev' }],
    },
  ])('shows once, at the next stop, a usage limit that nobody saw: the stop needs $needs', ({ checks, background }) => {
    const session = anArmedSession({ checks });
    const failure = { hook_event_name: 'StopFailure', error: 'rate_limit', error_details: 'usage limit reached' };
    session.stop(failure);
    expect(session.loaded().state).toMatchObject({ status: 'paused', unseen: true });
    const stop = { last_assistant_message: 'still at it', background_tasks: background };
    const shown = /usage limit.*it continues now/u;
    expect(JSON.parse(session.stop(stop).stdout).systemMessage).toMatch(shown);
    expect(session.entries().filter(({ event }) => event.kind === 'outcome-shown')).toHaveLength(1);
    expect(session.stop(stop).stdout).not.toMatch(shown);
    expect(replay(session.entries()).differences).toEqual([]);
  });

  it('is not called stalled while its work tree changes, though not every stop looks at it', () => {
    const project = aRepository({ 'a.txt': '0' });
    const limits = { ...anArmedSession().loaded().spec.limits, noProgressMax: 2 };
    const session = anArmedSession({ limits }, project);
    for (let turn = 1; turn <= 6; turn++) {
      writeFileSync(path.join(project, 'a.txt'), String(turn));
      expect(promptIn(session.stop({ last_assistant_message: 'still at it' }).stdout)).toContain(
        `iteration ${turn + 1}`,
      );
    }
    const stops = Array.from({ length: 8 }, () => session.stop({ last_assistant_message: 'still at it' }).stdout);
    expect(session.loaded().state.outcome).toMatchObject({ kind: 'halted', guard: 'no-progress' });
    expect(stops.some((stdout) => stdout.includes('systemMessage'))).toBe(true);
    expect(replay(session.entries()).differences).toEqual([]);
  });
});

type Line = Readonly<Record<string, unknown>>;

function said(id: string, ...content: readonly Line[]): string {
  return JSON.stringify({ type: 'assistant', message: { role: 'assistant', id, content } });
}

const text = (words: string): Line => ({ type: 'text', text: words });
const PROMPT = JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } });
const TOOL = { type: 'tool_use', id: 't', name: 'Bash', input: {} };

/** Each of these ended or trapped a loop of some other tool. */
describe('a transcript', () => {
  const transcript = (session: ArmedSession, lines: readonly string[]): string => {
    const file = path.join(session.home, 'transcript.jsonl');
    appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };

  it.each([
    { name: 'ends with the claim', lines: [PROMPT, said('m1', text(DONE))], goesOn: false },
    { name: 'ends with a tool call only', lines: [PROMPT, said('m1', TOOL)], goesOn: true },
    { name: 'has half a character in a recent line', lines: [PROMPT, said('m1', text('\ud800 half'))], goesOn: true },
    {
      name: 'has two tags, and the second one matches',
      lines: [PROMPT, said('m1', text('<promise>NO</promise>\n<promise>DONE</promise>'))],
      goesOn: false,
    },
    {
      name: 'has the claim in an older turn',
      lines: [PROMPT, said('m1', text(DONE)), PROMPT, said('m2', TOOL)],
      goesOn: true,
    },
    {
      name: 'has notices of the host behind the claim',
      lines: [PROMPT, said('m1', text(DONE)), JSON.stringify({ type: 'system', subtype: 'x' })],
      goesOn: false,
    },
  ])('that $name: goes on $goesOn', ({ lines, goesOn }) => {
    const session = anArmedSession();
    const { code, stdout, stderr } = session.stop({ transcript_path: transcript(session, lines) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(session.loaded().state.status).toBe(goesOn ? 'running' : 'completed');
    expect(stdout).toContain(goesOn ? '[tireless:2]' : 'tireless: completed');
  });

  it('whose last line is half written continues, and is read again at the next stop', () => {
    const session = anArmedSession();
    const file = transcript(session, [PROMPT, said('m1', text('still at it'))]);
    const claim = said('m2', text(DONE));
    appendFileSync(file, claim.slice(0, -9));
    expect(promptIn(session.stop({ transcript_path: file }).stdout)).toContain('iteration 2');
    appendFileSync(file, `${claim.slice(-9)}\n`);
    expect(session.stop({ transcript_path: file })).toEqual(COMPLETED);
    expect(session.loaded().state.status).toBe('completed');
  });

  it('of a gigabyte ends with the claim', () => {
    const session = anArmedSession();
    const file = path.join(session.home, 'transcript.jsonl');
    const descriptor = openSync(file, 'w');
    ftruncateSync(descriptor, 2 ** 30);
    closeSync(descriptor);
    transcript(session, ['', PROMPT, said('m1', text(DONE))]);
    expect(session.stop({ transcript_path: file })).toEqual(COMPLETED);
    expect(session.loaded().state.status).toBe('completed');
  });

  it('that is not written yet does not count against what the host says itself', () => {
    const session = anArmedSession();
    const file = transcript(session, [PROMPT, said('m1', text('still at it'))]);
    expect(session.stop({ transcript_path: file, last_assistant_message: DONE })).toEqual(COMPLETED);
    expect(session.loaded().state.status).toBe('completed');
  });
});

describe('a hook that fails lets the agent stop and says so', () => {
  it.each([
    {
      name: 'its journal was changed by hand',
      code: 'JOURNAL_',
      harm: (session: ArmedSession) =>
        writeFileSync(session.journal, readFileSync(session.journal, 'utf8').replace('"goal":"', '"goal":"another ')),
    },
    {
      name: 'its journal is gone',
      code: 'LOOP_NOT_FOUND',
      harm: (session: ArmedSession) => rmSync(path.dirname(session.journal), { recursive: true }),
    },
  ])('when $name', ({ code, harm }) => {
    const session = anArmedSession();
    harm(session);
    const replied = session.stop({ last_assistant_message: 'still at it' });
    expect(replied.code).toBe(0);
    expect(JSON.parse(replied.stdout)).toEqual({ systemMessage: expect.stringContaining(code) });
    expect(replied.stdout).toContain('allowed to stop');
  });

  it('when there is no payload', () => {
    const { code, stdout } = anArmedSession().stop({}, { after: 'exec </dev/null' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('PAYLOAD_INVALID') });
  });

  it('when the disk takes nothing more, and nothing is counted', () => {
    const session = anArmedSession();
    // In blocks of 512 bytes: the journal is as large as it may be already.
    const blocks = Math.floor(statSync(session.journal).size / 512);
    const { code, stdout } = session.stop({ last_assistant_message: 'still at it' }, { after: `ulimit -f ${blocks}` });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('STORE_FULL') });
    expect(session.loaded().state.counted).toBe(0);
  });

  it('when the program behind it is not there', () => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession({ checks: [aCheck('true')] });
    const { code, stdout, stderr } = session.stop({ last_assistant_message: DONE }, { dist });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('hook-full.js');
  });

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is cut off', (file: string) => truncateSync(file, 1000)],
    [
      'is of another program',
      (file: string) => writeFileSync(file, '(function(exports){exports.run=()=>{throw Error("old")}})'),
    ],
  ])('when a part of it %s', (_, spoil) => {
    const dist = aCopyOfTheHook();
    spoil(path.join(dist, 'hook-fast.cjs'));
    const { code, stdout, stderr } = anArmedSession().stop({ last_assistant_message: 'on' }, { dist });
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      systemMessage: expect.stringContaining('missing or broken'),
    });
    expect(stderr).toContain('Install it again');
  });
});

function aCopyOfTheHook(): string {
  const dist = mkdtempSync(path.join(tmpdir(), 'tireless-hook-'));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  for (const name of readdirSync(DIST).filter((file) => /^hook.*\.cjs$/u.test(file)))
    copyFileSync(path.join(DIST, name), path.join(dist, name));
  return dist;
}

describe('the compiled code', () => {
  const kept = (dist: string): readonly string[] => readdirSync(dist).filter((name) => name.endsWith('.code'));

  const codeIn = (dist: string): Buffer => readFileSync(path.join(dist, kept(dist)[0] ?? ''));

  it('is kept beside the hook by the first stops, and used from then on', () => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession();
    expect(kept(dist)).toEqual([]);
    for (const word of ['one', 'two', 'three']) session.stop({ last_assistant_message: word }, { dist });
    const { mtimeMs } = statSync(path.join(dist, kept(dist)[0] ?? ''));
    expect(promptIn(session.stop({ last_assistant_message: 'four' }, { dist }).stdout)).toContain('iteration 5');
    expect(statSync(path.join(dist, kept(dist)[0] ?? '')).mtimeMs).toBe(mtimeMs);
  });

  it('contains what stops need, also when a tool request came first and the first stop had no transcript', () => {
    const [dist, other] = [aCopyOfTheHook(), aCopyOfTheHook()];
    const session = anArmedSession();
    const tool = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} };
    const transcript = path.join(session.home, 'transcript.jsonl');
    writeFileSync(transcript, `${PROMPT}\n${said('m1', text('still at it'))}\n`);
    const sizes = [tool, tool, { last_assistant_message: 'one' }, { transcript_path: transcript }].map((fields) => {
      session.stop(fields, { dist });
      return codeIn(dist).length;
    });
    expect(sizes[1]).toBe(sizes[0]);
    expect(sizes[2]).toBeGreaterThan(sizes[1] ?? 0);
    expect(sizes[3]).toBeGreaterThan(sizes[2] ?? 0);
    session.stop({ transcript_path: transcript }, { dist: other });
    expect(sizes[3]).toBeGreaterThanOrEqual(codeIn(other).length);
  });

  it('is made anew when it is damaged, and thrown away with the program it was made from', () => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession();
    session.stop({ last_assistant_message: 'one' }, { dist });
    const [name = ''] = kept(dist);
    const { size } = statSync(path.join(dist, name));
    writeFileSync(path.join(dist, name), 'damaged');
    expect(promptIn(session.stop({ last_assistant_message: 'two' }, { dist }).stdout)).toContain('iteration 3');
    expect(statSync(path.join(dist, name)).size).toBeGreaterThan(size / 2);
    const small = path.join(dist, 'hook.cjs');
    writeFileSync(small, readFileSync(small, 'latin1').replace(/\.hook-[0-9a-f]{16}/u, '.hook-0123456789abcdef'));
    session.stop({ last_assistant_message: 'three' }, { dist });
    expect(kept(dist)).toEqual([expect.stringContaining('0123456789abcdef')]);
  });
});

/** What makes it fast, as far as that is no matter of time. */
describe('the fast path', () => {
  const watched = (
    session: ArmedSession,
    fields: Readonly<Record<string, unknown>>,
  ): { loaded: string[]; flushes: number } => {
    const preload = path.join(session.home, 'watch.cjs');
    const report = path.join(session.home, 'watch.json');
    writeFileSync(
      preload,
      `const fs = require('fs'); let flushes = 0; const before = new Set(process.moduleLoadList);
       for (const name of ['fsyncSync', 'fdatasyncSync']) { const real = fs[name]; fs[name] = (fd) => { flushes += 1; return real(fd); }; }
       const report = () => fs.writeFileSync(${JSON.stringify(report)}, JSON.stringify({ loaded: process.moduleLoadList.filter((name) => !before.has(name)), flushes }));
       process.on('exit', report);`,
    );
    // The first one keeps the compiled code.
    session.stop({ ...fields, stop_hook_active: false });
    session.stop(fields, { preload });
    return JSON.parse(readFileSync(report, 'utf8'));
  };
  const COSTLY = /^NativeModule (?:crypto|child_process|os|worker_threads|stream|internal\/(?:streams|crypto).*)$/u;

  it('loads no module of Node that a bare one has not', () => {
    const { loaded } = watched(anArmedSession(), { last_assistant_message: 'still at it' });
    expect(loaded.filter((name) => COSTLY.test(name))).toEqual([]);
  });

  it('would be seen to load one', () => {
    const limits = { ...anArmedSession().loaded().spec.limits, noProgressMax: 1 };
    const { loaded } = watched(anArmedSession({ limits }, aRepository()), { last_assistant_message: 'still at it' });
    expect(loaded).toContain('NativeModule child_process');
  });

  it('flushes once, whatever the agent said', () => {
    for (const message of ['still at it', '漢字'.repeat(3000), '\u0001"\\'.repeat(2000)])
      expect(watched(anArmedSession(), { last_assistant_message: message }).flushes).toBe(1);
  });

  it('is one small file and one that is compiled once', () => {
    expect(statSync(path.join(DIST, 'hook.cjs')).size).toBeLessThan(2 * 1024);
    expect(statSync(path.join(DIST, 'hook-fast.cjs')).size).toBeLessThan(103 * 1024);
    const main = readFileSync(path.join(DIST, 'hook-fast.cjs'), 'utf8');
    const asked = [...main.matchAll(/require\(["'`](node:[^"'`]+)/gu)].map(([, name]) => name);
    // The system is asked for its name only where there is no other for the boot, and for a home only where a path begins with `~`.
    expect(new Set(asked)).toEqual(new Set(['node:fs', 'node:path', 'node:os']));
  });

  it('loses no stop of many at once, some of which are killed', async () => {
    const session = anArmedSession();
    const running = Array.from({ length: 24 }, (_, index) =>
      session.starts({ last_assistant_message: `stop ${index}` }),
    );
    for (const [index, one] of running.entries()) if (index % 4 === 3) setTimeout(one.kill, 20 * index);
    const replies = await Promise.all(running.map((one) => one.end));
    const iterations = replies.flatMap(({ stdout }) => /\[tireless:(\d+)\]/u.exec(stdout)?.[1] ?? []);
    const granted = session
      .entries()
      .flatMap(({ decision }) => (decision.kind === 'continue' ? [String(decision.iteration)] : []));
    expect(iterations.length).toBeGreaterThan(10);
    expect(new Set(iterations).size).toBe(iterations.length);
    expect(granted).toEqual(expect.arrayContaining(iterations));
  });
});
