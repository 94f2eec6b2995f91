import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { replay } from '../../src/core/journal.ts';
import type { State } from '../../src/core/loop.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aStop } from './hook-payload.ts';
import type { User } from './run-cli.ts';

/** A dialect's file, as its hook finds it in a project. */
export type DialectCase = {
  readonly name: string;
  readonly file: string;
  /** A new file with room for `turns` turns, each named `turns: n` in its own way of counting. */
  readonly text: (turns: number) => string;
  readonly claim: string;
  /** After the claim; by default only the message counts. */
  readonly prove?: (user: User) => void;
  readonly counter: RegExp;
  /** The same file, switched off as the document describes. */
  readonly off: (text: string) => string;
  /** The same file, with the status that means success; absent = the document has none. */
  readonly completed?: (text: string) => string;
};

const inactive = (text: string): string => text.replace(/("?active"?: *)true/u, '$1false');
const withStatus =
  (status: string) =>
  (text: string): string =>
    text.replace(/("status": *)"\w+"/u, `$1"${status}"`);

export const DIALECT_CASES: readonly DialectCase[] = [
  {
    name: 'stravinsky',
    file: '.stravinsky/continuation-loop.md',
    text: (turns) =>
      `---\niteration_count: 1\nmax_iterations: ${turns + 1}\ncompletion_promise: all green\nactive: true\n---\nmake it\n`,
    claim: 'It is All Green now.',
    counter: /iteration_count: (\d+)/,
    off: inactive,
  },
  {
    name: 'ralph-loop',
    file: '.claude/ralph-loop.local.md',
    text: (turns) =>
      `---\nactive: true\niteration: 1\nmax_iterations: ${turns}\ncompletion_promise: "DONE"\n---\n\nmake it\n`,
    claim: 'All is well.\n<promise>DONE</promise>',
    counter: /iteration: (\d+)/,
    off: inactive,
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
    off: inactive,
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
    off: inactive,
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
    off: withStatus('stopped'),
    completed: withStatus('completed'),
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
    off: withStatus('stopped'),
    completed: withStatus('completed'),
  },
];

type Stopped = {
  readonly continues: boolean;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** The stop hook of a dialect, a process for each stop. `flags`: what the user added to its command. */
export function hookOf(
  user: User,
  dialect: string,
  variables: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  return async (message: string, more: Readonly<Record<string, unknown>> = {}): Promise<Stopped> => {
    const { code, stdout, stderr } = await user.tireless(
      ['hook', 'claude-code', '--dialect', dialect, '--reply', 'json', ...flags],
      {
        stdin: aStop(user.project, message, more),
        env: { CLAUDE_PROJECT_DIR: user.project, ...variables },
      },
    );
    const reply = JSON.parse(stdout) as { decision?: string };
    return { continues: reply.decision === 'block', code, stdout, stderr };
  };
}

/** A user's loops as the journals record them; fails if a decision comes out differently when it is made again. */
export function loopsOf(user: User): readonly State[] {
  const store = openFileStore({ home: user.home });
  const states = store.list({ ended: 'both' }).map(({ state }) => state);
  for (const { loop } of states) expect(replay(store.entries(loop)).differences).toEqual([]);
  store.close();
  return states;
}
