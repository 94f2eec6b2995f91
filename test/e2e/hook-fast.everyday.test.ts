/** The built hook as a host runs it: a shell, the guard, one process per stop. */
import {
  existsSync,
  ftruncateSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  appendFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import { aCheck } from '../support/a-loop.ts';
import { aProject, aRepository } from '../support/a-project.ts';
import type { ArmedSession } from '../support/an-armed-session.ts';
import { anArmedSession } from '../support/an-armed-session.ts';
import { aCopyOfTheHook } from '../support/hook-copy.ts';

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

  it('counts nothing while work continues in the background, and tells the user what it waits for', () => {
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
    { name: 'ends with the claim', lines: [PROMPT, said('m1', text(DONE))], continues: false },
    { name: 'ends with a tool call only', lines: [PROMPT, said('m1', TOOL)], continues: true },
    {
      name: 'has half a character in a recent line',
      lines: [PROMPT, said('m1', text('\ud800 half'))],
      continues: true,
    },
    {
      name: 'has two tags, and the second one matches',
      lines: [PROMPT, said('m1', text('<promise>NO</promise>\n<promise>DONE</promise>'))],
      continues: false,
    },
    {
      name: 'has the claim in an older turn',
      lines: [PROMPT, said('m1', text(DONE)), PROMPT, said('m2', TOOL)],
      continues: true,
    },
    {
      name: 'has notices of the host behind the claim',
      lines: [PROMPT, said('m1', text(DONE)), JSON.stringify({ type: 'system', subtype: 'x' })],
      continues: false,
    },
  ])('that $name: continues $continues', ({ lines, continues }) => {
    const session = anArmedSession();
    const { code, stdout, stderr } = session.stop({ transcript_path: transcript(session, lines) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(session.loaded().state.status).toBe(continues ? 'running' : 'completed');
    expect(stdout).toContain(continues ? '[tireless:2]' : 'tireless: completed');
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

describe('a hook that fails lets the agent stop and reports it', () => {
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
