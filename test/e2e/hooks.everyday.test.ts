/** The stop hook as a host calls it: a real process per stop, a payload on stdin, a reply on stdout. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aSpec } from '../support/a-loop.ts';
import { put } from '../support/a-project.ts';
import type { DialectCase } from '../support/dialect-hooks.ts';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import { aStop } from '../support/hook-payload.ts';
import { aUser } from '../support/run-cli.ts';
import { hookContract } from './dialect-hook-contract.ts';

// The first of them on an everyday run, all of them in `dialect-hooks.long.test.ts`.
hookContract(DIALECT_CASES.slice(0, 1));

describe('tireless hook', () => {
  const stravinsky = DIALECT_CASES[0] as DialectCase;

  it('answers by exit code in the exit form: 2 with the text on stderr to continue, 0 to stop', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(3) });
    const call = (message: string) =>
      user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], { stdin: aStop(user.project, message) });
    const on = await call('not yet');
    expect(on).toMatchObject({ code: 2, stdout: '' });
    expect(on.stderr).toMatch(/^\[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE\]\n/);
    const off = await call('all green');
    expect(off).toMatchObject({ code: 0, stdout: '' });
    expect(off.stderr).toMatch(/^tireless: The continuation loop is complete: the promise was found/u);
    expect(existsSync(path.join(user.project, stravinsky.file))).toBe(false);
  });

  it('does not believe a claim that a check contradicts', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(5), 'ok.sh': 'grep -q yes src.txt\n', 'src.txt': 'no\n' });
    const call = () =>
      user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky', '--check', 'sh ok.sh'], {
        stdin: aStop(user.project, 'all green'),
      });
    const refused = await call();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('sh ok.sh');
    put(user.project, { 'src.txt': 'yes\n' });
    expect((await call()).code).toBe(0);
    expect(loopsOf(user)).toMatchObject([{ status: 'completed', outcome: { verified: true, level: 'tree' } }]);
  });

  it('loses and doubles no count when twenty stops come at once on a file nobody has seen', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(99) });
    const stop = hookOf(user, 'stravinsky');
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => stop(`stop ${index}`)));
    expect(all.filter(({ continues }) => continues)).toHaveLength(20);
    expect(loopsOf(user)).toMatchObject([{ counted: 20 }]);
    expect(readFileSync(path.join(user.project, stravinsky.file), 'utf8')).toContain('iteration_count: 21\n');
  });

  it('shows in the session that a loop was taken from, once, where it went', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9) });
    const stop = hookOf(user, 'stravinsky');
    await stop('not yet');
    const [loop] = loopsOf(user).map((state) => state.loop);
    const words = ['resume', loop ?? '', '--host', 'claude-code', '--session', 'session-2', '--force'];
    expect(await user.tireless(words)).toMatchObject({ code: 0 });
    const lost = await stop('not yet either');
    expect(lost.continues).toBe(false);
    const { systemMessage } = JSON.parse(lost.stdout) as { systemMessage?: string };
    expect(systemMessage).toContain(`loop ${loop} (make it) was taken to the session session-2 of claude-code`);
    expect(systemMessage).toContain(`tireless resume ${loop} --session session-1 --force`);
    expect((await stop('and now?')).stdout).not.toContain('was taken');
    expect(loopsOf(user)).toMatchObject([{ counted: 1, session: { id: 'session-2' } }]);
  });

  it('takes the same stop reported twice for one', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9), 'transcript.jsonl': '{"type":"system"}\n' });
    const stop = hookOf(user, 'stravinsky');
    const more = { transcript_path: path.join(user.project, 'transcript.jsonl') };
    await Promise.all([stop('not yet', more), stop('not yet', more), stop('not yet', more)]);
    expect(loopsOf(user)).toMatchObject([{ counted: 1 }]);
  });

  it('reads the last message from the transcript when the payload has none', async () => {
    const said = JSON.stringify({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'all green' }] },
    });
    const user = aUser({ [stravinsky.file]: stravinsky.text(9), 'transcript.jsonl': `${said}\n` });
    const more = { last_assistant_message: undefined, transcript_path: path.join(user.project, 'transcript.jsonl') };
    expect((await hookOf(user, 'stravinsky')('', more)).continues).toBe(false);
    expect(loopsOf(user)).toMatchObject([{ status: 'completed' }]);
  });

  it.each([
    ['a subagent', { hook_event_name: 'SubagentStop', agent_type: 'Explore' }],
    ['no session', { session_id: undefined }],
    ['work in the background', { background_tasks: [{ id: 'b', status: 'running' }] }],
  ])('lets go and counts nothing: %s', async (_what, more) => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9) });
    expect(await hookOf(user, 'stravinsky')('not yet', more)).toMatchObject({
      continues: false,
      code: 0,
      stdout: '{}\n',
    });
    expect(readFileSync(path.join(user.project, stravinsky.file), 'utf8')).toBe(stravinsky.text(9));
  });

  it.each([
    ['no JSON', ['claude-code', '--dialect', 'stravinsky'], '{"session_id', 'PAYLOAD_INVALID'],
    ['nothing', ['claude-code', '--dialect', 'stravinsky'], '', 'PAYLOAD_INVALID'],
    ['an unknown flag', ['claude-code', '--dialct', 'x'], '{}', 'USAGE'],
    ['an unknown dialect', ['claude-code', '--dialect', 'x'], '{}', 'USAGE'],
    ['an unknown host', ['no-such-host', '--dialect', 'athena'], '{}', 'USAGE'],
    ['a project that is gone', ['claude-code', '--dialect', 'athena'], aStop('/nowhere/at/all', ''), 'PROJECT_MISSING'],
  ])('lets the agent stop and tells the user: %s', async (_what, args, stdin, code) => {
    const user = aUser();
    const ran = await user.tireless(['hook', ...args], { stdin });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(`tireless: ${code}: `);
    expect(JSON.parse(ran.stdout)).toEqual({ systemMessage: expect.stringContaining(code) as string });
  });

  it('answers a fault in the words of the ok form too', async () => {
    const ran = await aUser().tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], { stdin: 'x' });
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      ok: true,
      reason: expect.stringContaining('PAYLOAD_INVALID') as string,
    });
  });

  it('lets the agent stop when loops cannot be kept', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9) });
    const ran = await user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], {
      stdin: aStop(user.project, 'not yet'),
      env: { TIRELESS_HOME: '/dev/null' },
    });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('HOME_UNUSABLE') as string });
  });

  it('tells a new session of a loop in progress', async () => {
    const { file, text } = DIALECT_CASES.find(({ name }) => name === 'loop-mechanics') as DialectCase;
    const user = aUser({ [file]: text(9) });
    const started = aStop(user.project, '', { hook_event_name: 'SessionStart', source: 'startup' });
    const ran = await user.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], { stdin: started });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('make it') as string,
      },
    });
    expect(loopsOf(user)).toEqual([]);
  });

  it('drives a native loop that is armed for the session', async () => {
    const user = aUser();
    const store = openFileStore({ home: user.home });
    const session = { host: 'claude-code', id: 'session-1' };
    const spec = aSpec({ driver: 'session', limits: { ...aSpec().limits, iterationsMax: 3 } });
    const at = new Date().toISOString();
    const clock = { wallMs: Date.now(), monotonicMs: 1, boot: 'b' };
    const begun = store.create('armed', {
      at,
      event: { kind: 'loop-started', loop: 'armed', spec, session, cwd: user.project, machine: 'm' },
      evidence: { clock },
      decision: { kind: 'record' },
    });
    if (begun.kind !== 'committed') throw new Error('it is there already');
    const unmet = [{ kind: 'claim' as const }];
    store.commit('armed', begun.loaded.head, {
      at,
      event: { kind: 'baseline-taken' },
      evidence: { clock, checks: [] },
      decision: { kind: 'continue', iteration: 1, strategy: 'steady', last: false, delayMs: 0, rerun: false, unmet },
    });
    store.bindSession(session, 'armed');
    store.close();
    const call = async (message: string, more = {}): Promise<unknown> => {
      const ran = await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, message, more) });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      return JSON.parse(ran.stdout) as unknown;
    };
    expect(await call('not yet', { session_id: 'other' })).toEqual({});
    expect(await call('not yet')).toMatchObject({
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: expect.stringContaining(spec.goal) as string },
    });
    expect(await call('<promise>DONE</promise>')).toEqual({
      systemMessage: expect.stringContaining('completed, unverified'),
    });
    expect(loopsOf(user)).toMatchObject([{ status: 'completed' }]);
  });
});

describe('a loop in a foreign file, from outside its session', () => {
  const { file, text } = DIALECT_CASES[0] as DialectCase;

  it('is switched off in the file by cancel', async () => {
    const user = aUser({ [file]: text(9) });
    const stop = hookOf(user, 'stravinsky');
    await stop('not yet');
    expect((await user.tireless(['cancel'])).code).toBe(0);
    expect(readFileSync(path.join(user.project, file), 'utf8')).toContain('active: false');
    expect((await stop('not yet')).continues).toBe(false);
  });

  it('carries a message into the next continuation, and keeps a maximum that was raised by hand before', async () => {
    const user = aUser({ [file]: text(2) });
    const stop = hookOf(user, 'stravinsky');
    await stop('not yet');
    const full = path.join(user.project, file);
    writeFileSync(full, readFileSync(full, 'utf8').replace('max_iterations: 3', 'max_iterations: 9'));
    expect((await user.tireless(['steer', 'use the other parser'])).code).toBe(0);
    const next = await stop('not yet');
    expect(next.continues).toBe(true);
    expect(next.stdout).toContain('use the other parser');
  });
});
