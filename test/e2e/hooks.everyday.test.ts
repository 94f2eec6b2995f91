/** The stop hook as a host calls it: a real process per stop, a payload on stdin, a reply on stdout. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { State } from '../../src/core/loop.ts';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aSpec } from '../support/a-loop.ts';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Case = {
  readonly name: string;
  readonly file: string;
  /** A fresh file with room for `turns` turns, each named `turns: n` in its own way of counting. */
  readonly text: (turns: number) => string;
  readonly claim: string;
  /** After the claim; by default only the message counts. */
  readonly prove?: (user: User) => void;
  readonly counter: RegExp;
};

const CASES: readonly Case[] = [
  {
    name: 'stravinsky',
    file: '.stravinsky/continuation-loop.md',
    text: (turns) =>
      `---\niteration_count: 1\nmax_iterations: ${turns + 1}\ncompletion_promise: all green\nactive: true\n---\nmake it\n`,
    claim: 'It is All Green now.',
    counter: /iteration_count: (\d+)/,
  },
  {
    name: 'ralph-loop',
    file: '.claude/ralph-loop.local.md',
    text: (turns) =>
      `---\nactive: true\niteration: 1\nmax_iterations: ${turns}\ncompletion_promise: "DONE"\n---\n\nmake it\n`,
    claim: 'All is well.\n<promise>DONE</promise>',
    counter: /iteration: (\d+)/,
  },
  {
    name: 'supercode',
    file: '.supercoin/ralph-loop-state.json',
    text: (turns) =>
      JSON.stringify({
        active: true,
        iteration: 1,
        maxIterations: turns,
        completionPromise: 'DONE',
        startedAt: '2026-11-01T10:00:00.000Z',
        prompt: 'make it',
        sessionId: 'session-1',
      }),
    claim: 'Now <promise>done</promise>.',
    counter: /"iteration":\s*(\d+)/,
  },
  {
    name: 'athena',
    file: '.athena/sessions/session-1/loop-tracker.md',
    text: (turns) =>
      `---\niteration: 0\nmax_iterations: ${turns - 1}\ncompletion_marker: ALL_DONE\nactive: true\n---\n# Plan\n\n- [ ] make it\n`,
    claim: 'see the tracker',
    prove: ({ project }) => {
      const file = path.join(project, '.athena/sessions/session-1/loop-tracker.md');
      writeFileSync(file, `${readFileSync(file, 'utf8')}\nALL_DONE\n`);
    },
    counter: /iteration: (\d+)/,
  },
  {
    name: 'loop-mechanics',
    file: '.loop/state.json',
    text: (turns) =>
      JSON.stringify({
        spec: 'make it',
        criteria: ['it works'],
        criteriaStatus: { 'it works': false },
        steps: ['build', 'test'],
        completedSteps: [],
        remainingSteps: ['build', 'test'],
        iteration: 1,
        maxIterations: turns,
        status: 'in_progress',
      }),
    claim: 'Done. <loop-complete>',
    prove: ({ project }) => {
      const file = path.join(project, '.loop/state.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"it works":false', '"it works":true'));
    },
    counter: /"iteration":\s*(\d+)/,
  },
  {
    name: 'ralph-wiggum',
    file: 'AI_Employee_Vault/Ralph_State/RALPH_1.json',
    text: (turns) =>
      JSON.stringify({
        loop_id: 'RALPH_1',
        prompt: 'make it',
        max_iterations: turns - 1,
        completion_promise: 'TASK_COMPLETE',
        current_iteration: 0,
        status: 'running',
        iterations: [],
        errors: [],
        pause_between_iterations: 0,
      }),
    claim: '<promise>TASK_COMPLETE</promise>',
    counter: /"current_iteration":\s*(\d+)/,
  },
];

type Stopped = {
  readonly goesOn: boolean;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

function hookOf(user: User, dialect: string) {
  return async (message: string, more: Readonly<Record<string, unknown>> = {}): Promise<Stopped> => {
    const { code, stdout, stderr } = await user.tireless(
      ['hook', 'claude-code', '--dialect', dialect, '--reply', 'json'],
      {
        stdin: aStop(user.project, message, more),
        env: { CLAUDE_PROJECT_DIR: user.project },
      },
    );
    const reply = JSON.parse(stdout) as { decision?: string };
    return { goesOn: reply.decision === 'block', code, stdout, stderr };
  };
}

/** The loops of a user as the journals know them; a decision that comes out differently when it is made again fails here. */
function loops(user: User): readonly State[] {
  const store = openFileStore({ home: user.home });
  const states = store.list({ ended: 'both' }).map(({ state }) => state);
  for (const { loop } of states) expect(replay(store.entries(loop)).differences).toEqual([]);
  store.close();
  return states;
}

it('tries every dialect there is', () => {
  expect(CASES.map(({ name }) => name).toSorted()).toEqual([...DIALECT_NAMES].toSorted());
});

describe.each(CASES)('tireless hook claude-code --dialect $name', ({ name, file, text, claim, prove, counter }) => {
  const count = (user: User): number => Number(counter.exec(readFileSync(path.join(user.project, file), 'utf8'))?.[1]);

  it('keeps the agent going until it is complete, and leaves another session alone', async () => {
    const user = aUser({ [file]: text(9) });
    const stop = hookOf(user, name);
    const before = count(user);
    expect((await stop('not yet')).goesOn).toBe(true);
    expect(count(user)).toBe(before + 1);
    expect(await stop('not yet', { session_id: 'session-2' })).toMatchObject({ goesOn: false, code: 0 });
    expect(count(user)).toBe(before + 1);
    prove?.(user);
    expect(await stop(claim)).toMatchObject({ goesOn: false, code: 0, stderr: '' });
    expect(loops(user)).toMatchObject([{ status: 'completed' }]);
  });

  it('ends at its limit and says so', async () => {
    const user = aUser({ [file]: text(2) });
    const stop = hookOf(user, name);
    expect((await stop('one')).goesOn).toBe(true);
    const last = await stop('two');
    expect(last).toMatchObject({ goesOn: false, code: 0 });
    expect(JSON.parse(last.stdout)).toHaveProperty('systemMessage');
    expect(loops(user)).toMatchObject([{ status: 'halted' }]);
  });

  it('lets the agent stop over a broken file, tells the user and keeps the file', async () => {
    const broken = '{"prompt": ---\n[half';
    const user = aUser({ [file]: broken });
    const { goesOn, code, stdout } = await hookOf(user, name)(claim);
    expect({ goesOn, code }).toEqual({ goesOn: false, code: 0 });
    expect(JSON.parse(stdout)).toHaveProperty('systemMessage');
    expect(readFileSync(path.join(user.project, file), 'utf8')).toBe(broken);
    expect(loops(user)).toEqual([]);
  });
});

describe('tireless hook', () => {
  const stravinsky = CASES[0] as Case;

  it('answers by exit code in the exit form: 2 with the text on stderr to go on, 0 to stop', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(3) });
    const call = (message: string) =>
      user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky'], { stdin: aStop(user.project, message) });
    const on = await call('not yet');
    expect(on).toMatchObject({ code: 2, stdout: '' });
    expect(on.stderr).toMatch(/^\[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE\]\n/);
    expect(await call('all green')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(path.join(user.project, stravinsky.file))).toBe(false);
  });

  it('does not believe a claim that a check contradicts', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(5), 'ok.sh': 'exit 1\n' });
    const call = () =>
      user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky', '--check', 'sh ok.sh'], {
        stdin: aStop(user.project, 'all green'),
      });
    const refused = await call();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('sh ok.sh');
    put(user.project, { 'ok.sh': 'exit 0\n' });
    expect((await call()).code).toBe(0);
    expect(loops(user)).toMatchObject([{ status: 'completed', outcome: { verified: true } }]);
  });

  it('loses and doubles no count when twenty stops come at once on a file nobody has seen', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(99) });
    const stop = hookOf(user, 'stravinsky');
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => stop(`stop ${index}`)));
    expect(all.filter(({ goesOn }) => goesOn)).toHaveLength(20);
    expect(loops(user)).toMatchObject([{ counted: 20 }]);
    expect(readFileSync(path.join(user.project, stravinsky.file), 'utf8')).toContain('iteration_count: 21\n');
  });

  it('takes the same stop reported twice for one', async () => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9), 'transcript.jsonl': '{"type":"system"}\n' });
    const stop = hookOf(user, 'stravinsky');
    const more = { transcript_path: path.join(user.project, 'transcript.jsonl') };
    await Promise.all([stop('not yet', more), stop('not yet', more), stop('not yet', more)]);
    expect(loops(user)).toMatchObject([{ counted: 1 }]);
  });

  it('reads the last message from the transcript when the payload has none', async () => {
    const said = JSON.stringify({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'all green' }] },
    });
    const user = aUser({ [stravinsky.file]: stravinsky.text(9), 'transcript.jsonl': `${said}\n` });
    const more = { last_assistant_message: undefined, transcript_path: path.join(user.project, 'transcript.jsonl') };
    expect((await hookOf(user, 'stravinsky')('', more)).goesOn).toBe(false);
    expect(loops(user)).toMatchObject([{ status: 'completed' }]);
  });

  it.each([
    ['a subagent', { hook_event_name: 'SubagentStop', agent_type: 'Explore' }],
    ['no session', { session_id: undefined }],
    ['work in the background', { background_tasks: [{ id: 'b', status: 'running' }] }],
  ])('lets go and counts nothing: %s', async (_what, more) => {
    const user = aUser({ [stravinsky.file]: stravinsky.text(9) });
    expect(await hookOf(user, 'stravinsky')('not yet', more)).toMatchObject({ goesOn: false, code: 0, stdout: '{}\n' });
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
    const { file, text } = CASES.find(({ name }) => name === 'loop-mechanics') as Case;
    const user = aUser({ [file]: text(9) });
    const started = aStop(user.project, '', { hook_event_name: 'SessionStart', source: 'startup' });
    const ran = await user.tireless(['hook', 'claude-code', '--dialect', 'loop-mechanics'], { stdin: started });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('make it') as string,
      },
    });
    expect(loops(user)).toEqual([]);
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
    expect(await call('<promise>DONE</promise>')).toEqual({});
    expect(loops(user)).toMatchObject([{ status: 'completed' }]);
  });
});

describe('a loop in a foreign file, from outside its session', () => {
  const { file, text } = CASES[0] as Case;

  it('is switched off in the file by cancel', async () => {
    const user = aUser({ [file]: text(9) });
    const stop = hookOf(user, 'stravinsky');
    await stop('not yet');
    expect((await user.tireless(['cancel'])).code).toBe(0);
    expect(readFileSync(path.join(user.project, file), 'utf8')).toContain('active: false');
    expect((await stop('not yet')).goesOn).toBe(false);
  });

  it('carries a message into the next continuation, and keeps a maximum that was raised by hand before', async () => {
    const user = aUser({ [file]: text(2) });
    const stop = hookOf(user, 'stravinsky');
    await stop('not yet');
    const full = path.join(user.project, file);
    writeFileSync(full, readFileSync(full, 'utf8').replace('max_iterations: 3', 'max_iterations: 9'));
    expect((await user.tireless(['steer', 'use the other parser'])).code).toBe(0);
    const next = await stop('not yet');
    expect(next.goesOn).toBe(true);
    expect(next.stdout).toContain('use the other parser');
  });
});
