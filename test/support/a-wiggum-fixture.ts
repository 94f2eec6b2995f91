/**
 * Approval after the hook has ended, with a program named `claude` that handles its hooks as the real one does: it reads the prompt, says something,
 * and calls the stop hook until that lets it stop.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aStop } from './hook-payload.ts';
import type { User } from './run-cli.ts';
import { aUser } from './run-cli.ts';

export const VAULT = 'AI_Employee_Vault';
export const FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
const REQUEST = 'PAY_RALPH_1.md';
const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
/** Long enough for a busy machine. */
export const SOON = { timeout: 20_000 };
const STATE = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'make it',
  max_iterations: 5,
  completion_promise: 'OK',
  pause_between_iterations: 0,
});

/** Says what its file of answers contains, one line per turn, and calls its stop hook after each. */
const CLAUDE = `
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const log = (what) => fs.appendFileSync(process.env.AGENT_LOG, JSON.stringify({ pid: process.pid, ...what }) + '\\n');
const prompt = fs.readFileSync(0, 'utf8');
log({ args: process.argv.slice(2), prompt, cwd: process.cwd(), nested: process.env.CLAUDECODE ?? null });
if (process.env.AGENT_FAILS === '1') { console.error('no such session'); process.exit(1); }
if (process.env.AGENT_SILENT === '1') return;
if (process.env.AGENT_STAYS === '1') { setInterval(() => {}, 1000); return; }
const answers = fs.readFileSync(process.env.AGENT_ANSWERS, 'utf8').split('\\n').filter(Boolean);
for (const message of answers) {
  const payload = JSON.stringify({ session_id: 'session-1', cwd: process.cwd(), hook_event_name: 'Stop', last_assistant_message: message });
  const reply = execFileSync(process.execPath, [process.env.TIRELESS_CLI, 'hook', 'claude-code', '--dialect', 'ralph-wiggum', '--approval-wait', '0'], { input: payload, encoding: 'utf8' });
  log({ message, reply });
  if (!reply.includes('"block"')) break;
}
`;

export type WiggumFixture = {
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

export function aWiggumFixture(): WiggumFixture {
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
  // Anything that a test leaves waiting ends when its file is removed.
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

/** How often the program was started, and how. */
export const starts = (fixture: WiggumFixture): readonly unknown[] => fixture.calls().filter((call) => 'args' in call);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
