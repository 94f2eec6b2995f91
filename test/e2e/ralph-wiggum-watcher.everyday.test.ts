/**
 * Approval after the hook has ended, with a program named `claude` that does what the real one does with its hooks: it reads the prompt, says
 * something, and calls the stop hook until that lets it stop.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const VAULT = 'AI_Employee_Vault';
const FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
const REQUEST = 'PAY_RALPH_1.md';
const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
/** Long for a busy machine. */
const SOON = { timeout: 20_000 };
const STATE = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'make it',
  max_iterations: 5,
  completion_promise: 'OK',
  pause_between_iterations: 0,
});

/** Says what its file of answers says, one line per turn, and asks its stop hook after each. */
const CLAUDE = `
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const log = (what) => fs.appendFileSync(process.env.AGENT_LOG, JSON.stringify({ pid: process.pid, ...what }) + '\\n');
const prompt = fs.readFileSync(0, 'utf8');
log({ args: process.argv.slice(2), prompt, cwd: process.cwd(), nested: process.env.CLAUDECODE ?? null });
if (process.env.AGENT_FAILS === '1') { console.error('no such session'); process.exit(1); }
if (process.env.AGENT_STAYS === '1') { setInterval(() => {}, 1000); return; }
const answers = fs.readFileSync(process.env.AGENT_ANSWERS, 'utf8').split('\\n').filter(Boolean);
for (const message of answers) {
  const payload = JSON.stringify({ session_id: 'session-1', cwd: process.cwd(), hook_event_name: 'Stop', last_assistant_message: message });
  const reply = execFileSync(process.execPath, [process.env.TIRELESS_CLI, 'hook', 'claude-code', '--dialect', 'ralph-wiggum', '--approval-wait', '0'], { input: payload, encoding: 'utf8' });
  log({ message, reply });
  if (!reply.includes('"block"')) break;
}
`;

type Desk = {
  readonly user: User;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: (
    message: string,
    flags?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<string>;
  readonly say: (...answers: readonly string[]) => void;
  readonly ask: () => void;
  readonly answer: (folder: 'Approved' | 'Rejected') => void;
  readonly calls: () => readonly Record<string, unknown>[];
  readonly entries: () => readonly Entry[];
  readonly kinds: () => readonly string[];
};

function aDesk(): Desk {
  const user = aUser({ [FILE]: STATE, [`${VAULT}/Approved/.keep`]: '', [`${VAULT}/Pending_Approval/.keep`]: '' });
  const bin = path.join(user.home, 'bin');
  const log = path.join(user.home, 'agent.log');
  const answers = path.join(user.home, 'answers');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'claude.cjs'), CLAUDE);
  writeFileSync(path.join(bin, 'claude'), `#!/bin/sh\nexec ${process.execPath} ${path.join(bin, 'claude.cjs')} "$@"\n`);
  chmodSync(path.join(bin, 'claude'), 0o755);
  const env = {
    PATH: `${bin}:${user.env['PATH'] ?? ''}`,
    AGENT_LOG: log,
    AGENT_ANSWERS: answers,
    TIRELESS_CLI: CLI,
    CLAUDECODE: '1',
  };
  const entries = (): readonly Entry[] => {
    const store = openFileStore({ home: user.home });
    const [loop] = store.list({ ended: 'both' });
    const all = loop === undefined ? [] : store.entries(loop.state.loop);
    store.close();
    return all;
  };
  // Whatever a test leaves waiting ends with its file.
  onTestFinished(async () => {
    rmSync(path.join(user.project, FILE), { force: true });
    const pids = entries().flatMap(({ event }) => (event.kind === 'watcher-began' ? [event.worker.pid] : []));
    await expect.poll(() => pids.some(isAlive), SOON).toBe(false);
  });
  const inVault = (...parts: string[]): string => path.join(user.project, VAULT, ...parts);
  return {
    user,
    env,
    stop: async (message, flags = ['--approval-wait', '0'], more = {}) => {
      const words = ['hook', 'claude-code', '--dialect', 'ralph-wiggum', ...flags];
      const ran = await user.tireless(words, { stdin: aStop(user.project, message), env: { ...env, ...more } });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      return ran.stdout;
    },
    say: (...lines) => writeFileSync(answers, `${lines.join('\n')}\n`),
    ask: () => writeFileSync(inVault('Pending_Approval', REQUEST), 'May I pay?'),
    answer: (folder) => {
      mkdirSync(inVault(folder), { recursive: true });
      renameSync(inVault('Pending_Approval', REQUEST), inVault(folder, REQUEST));
    },
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        : [],
    entries,
    kinds: () => entries().map((entry) => entry.event.kind),
  };
}

const starts = (desk: Desk): readonly unknown[] => desk.calls().filter((call) => 'args' in call);

describe('approval after the hook has ended', () => {
  it('brings the same session back with the prompt of the loop, and all of it is in the journal', async () => {
    const desk = aDesk();
    desk.say('paid', '<promise>OK</promise>');
    desk.ask();
    expect(await desk.stop('asked')).toContain('Waiting for approval');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    desk.answer('Approved');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(desk)).toMatchObject([
      {
        args: ['-p', '--resume', 'session-1', '--permission-mode', 'acceptEdits'],
        prompt: 'make it',
        cwd: desk.user.project,
        nested: null,
      },
    ]);
    expect(desk.kinds().slice(-6)).toEqual([
      'turn-ended',
      'watcher-began',
      'approval-given',
      'watcher-acted',
      'turn-ended',
      'turn-ended',
    ]);
    const done = path.join(desk.user.project, VAULT, 'Ralph_History/RALPH_1.json');
    await expect.poll(() => existsSync(done), SOON).toBe(true);
    expect(JSON.parse(readFileSync(done, 'utf8'))).toMatchObject({ status: 'completed', iterations: [{}, {}, {}] });
  });

  it('waits on with the same process when the agent it brought back asks again', async () => {
    const desk = aDesk();
    desk.say('paid', 'asked again');
    desk.ask();
    await desk.stop('asked');
    desk.answer('Approved');
    await expect.poll(() => desk.kinds(), SOON).toContain('approval-given');
    desk.ask();
    await expect.poll(() => desk.kinds().filter((kind) => kind === 'watcher-acted'), SOON).toHaveLength(2);
    desk.say('<promise>OK</promise>');
    desk.answer('Approved');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(desk.kinds().filter((kind) => kind === 'watcher-began')).toHaveLength(1);
  });

  it('follows tireless approve too', async () => {
    const desk = aDesk();
    desk.say('<promise>OK</promise>');
    desk.ask();
    await desk.stop('asked');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    expect((await desk.user.tireless(['approve'])).code).toBe(0);
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
  });

  it('ends when the request is refused, and the next stop tells the agent', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    desk.answer('Rejected');
    await expect
      .poll(() => desk.entries().at(-1)?.event, SOON)
      .toMatchObject({ kind: 'watcher-ended', why: 'refused' });
    expect(starts(desk)).toEqual([]);
    expect(await desk.stop('still here')).toContain('The human refused');
  });

  it('ends when the file is removed, and the loop is cancelled', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked');
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    rmSync(path.join(desk.user.project, FILE));
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('cancel');
    desk.answer('Approved');
    expect(starts(desk)).toEqual([]);
  });

  it('ends when its time is over', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked', ['--approval-wait', '0', '--approval-watch', '1s']);
    await expect
      .poll(() => desk.entries().at(-1)?.event, SOON)
      .toMatchObject({ kind: 'watcher-ended', why: 'overdue' });
  });

  it('leaves a session alone whose program still runs, and takes it up when that is gone', async () => {
    const desk = aDesk();
    desk.say('<promise>OK</promise>');
    desk.ask();
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void program.kill('SIGKILL'));
    await desk.stop('asked', undefined, { CLAUDE_PID: String(program.pid) });
    await expect.poll(() => desk.kinds(), SOON).toContain('watcher-began');
    desk.answer('Approved');
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    expect(starts(desk)).toEqual([]);
    program.kill('SIGKILL');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
  });

  it.each(['UserPromptSubmit', 'Stop'])('ends its agent when the user comes back by a %s', async (name) => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked', undefined, { AGENT_STAYS: '1' });
    desk.answer('Approved');
    await expect.poll(() => starts(desk), SOON).toHaveLength(1);
    const payload = aStop(desk.user.project, 'I am here', { hook_event_name: name, prompt: 'hello' });
    const ran = await desk.user.tireless(['hook', 'claude-code', '--dialect', 'ralph-wiggum'], {
      stdin: payload,
      env: desk.env,
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(desk.entries().map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ kind: 'watcher-ended', why: 'session-returned' }),
    );
    const [first] = desk.calls();
    await expect.poll(() => isAlive(Number(first?.['pid'])), SOON).toBe(false);
  });

  it('is one process, however many stops there are', async () => {
    const desk = aDesk();
    desk.say('<promise>OK</promise>');
    desk.ask();
    await desk.stop('asked');
    await Promise.all(['a', 'b', 'c'].map((message) => desk.stop(message)));
    desk.answer('Approved');
    await expect.poll(() => desk.entries().at(-1)?.decision.kind, SOON).toBe('complete');
    expect(starts(desk)).toHaveLength(1);
  });

  it('tries an agent that fails again, records it, and then asks a person', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked', undefined, { AGENT_FAILS: '1' });
    desk.answer('Approved');
    await expect
      .poll(() => desk.entries().map(({ decision }) => decision), SOON)
      .toContainEqual(expect.objectContaining({ kind: 'pause', cause: 'failed' }));
    expect(starts(desk)).toHaveLength(3);
    const { errors } = JSON.parse(readFileSync(path.join(desk.user.project, FILE), 'utf8')) as { errors: unknown };
    expect(errors).toMatchObject([
      { number: 1 },
      { number: 2 },
      { number: 3, message: expect.stringContaining('no such session') },
    ]);
  });

  it('does nothing with --after-approval none', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked', ['--approval-wait', '0', '--after-approval', 'none']);
    desk.answer('Approved');
    expect(desk.kinds()).not.toContain('watcher-began');
    expect(await desk.stop('still here')).toContain('"block"');
  });

  it('lets later stops of a paused loop pass at once', async () => {
    const desk = aDesk();
    desk.ask();
    await desk.stop('asked');
    const began = Date.now();
    expect(await desk.stop('what now?', [])).toContain('Waiting for approval');
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
