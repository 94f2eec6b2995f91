import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { StopContext, StopHookOptions, StopReply } from '../../src/facades/ralph-wiggum/index.ts';
import { createStopHook } from '../../src/facades/ralph-wiggum/index.ts';

/** A project with a vault and a home of its own for each test, with the hook on them. Waiting takes no time. */
export type WiggumVault = {
  waits: number[];
  /** What happens elsewhere while the hook waits; called with how often it has waited. */
  meanwhile: (waited: number) => void;
  readonly home: () => string;
  readonly project: (...parts: string[]) => string;
  readonly path: (...parts: string[]) => string;
  readonly stop: (context: StopContext, options?: StopHookOptions) => Promise<StopReply>;
  readonly writeState: (name: string, fields?: Record<string, unknown>) => void;
  readonly readState: (name: string, folder?: string) => Record<string, unknown>;
  /** A request of the agent, or of another tool. */
  readonly ask: (name: string, text?: string) => void;
  readonly answer: (name: string, folder: 'Approved' | 'Rejected') => void;
};

export const GO_ON = { allowExit: false, injectPrompt: 'Process all invoices...' };

const STATE = {
  prompt: 'Process all invoices...',
  max_iterations: 10,
  completion_promise: 'TASK_COMPLETE',
  current_iteration: 0,
  status: 'running',
  started_at: '2026-01-19T10:00:00Z',
  iterations: [],
  errors: [],
  paused_for_approval: false,
};

export function aWiggumVault(): WiggumVault {
  let root = '';
  const project = (...parts: string[]): string => path.join(root, 'project', ...parts);
  const inVault = (...parts: string[]): string => project('AI_Employee_Vault', ...parts);
  const vault: WiggumVault = {
    waits: [],
    meanwhile: () => undefined,
    home: () => path.join(root, 'home'),
    project,
    path: inVault,
    stop: (context, options = {}) => {
      const wait = (ms: number): Promise<void> => {
        vault.waits.push(ms);
        vault.meanwhile(vault.waits.length);
        return Promise.resolve();
      };
      const given = { home: vault.home(), cwd: project(), approvalWaitMs: 3000, pollMs: 1000, wait };
      return createStopHook({ ...given, ...options })(context);
    },
    writeState: (name, fields = {}) => {
      const text = JSON.stringify({ loop_id: name, ...STATE, ...fields }, null, 2);
      writeFileSync(inVault('Ralph_State', `${name}.json`), `${text}\n`);
    },
    readState: (name, folder = 'Ralph_State') =>
      JSON.parse(readFileSync(inVault(folder, `${name}.json`), 'utf8')) as Record<string, unknown>,
    ask: (name, text = 'May I pay 500 EUR? (for loop RALPH_1)') => {
      mkdirSync(inVault('Pending_Approval'), { recursive: true });
      writeFileSync(inVault('Pending_Approval', name), text);
    },
    answer: (name, folder) => {
      mkdirSync(inVault(folder), { recursive: true });
      renameSync(inVault('Pending_Approval', name), inVault(folder, name));
    },
  };
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tireless-wiggum-'));
    vault.waits = [];
    vault.meanwhile = () => undefined;
    mkdirSync(inVault('Ralph_State'), { recursive: true });
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });
  return vault;
}
