import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import type { Spec } from '../../src/core/loop.ts';
import type { Loaded } from '../../src/engine/ports.ts';
import type { FileStore } from '../../src/stores/file-store.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { aProject } from './a-project.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { aSessionSpec, aStartDraft, commit } from './drafts.ts';
import { guardCall } from './guard-call.ts';
import { writeStandIn } from './stand-in-node.ts';

const DIST = path.join(import.meta.dirname, '../../dist');
const SESSION = { host: 'claude-code', id: 'session-1' } as const;
const LOOP = 'a';

type Replied = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A session of Claude Code with a loop, and its stop hook as the host runs it: shell, guard, hook. */
export type ArmedSession = {
  readonly home: string;
  readonly project: string;
  readonly store: FileStore;
  readonly marker: string;
  readonly journal: string;
  /** The line in the settings of the host. */
  readonly line: string;
  /** What the host writes to the stdin of its hooks; an absent message is left out. */
  readonly payload: (fields: Readonly<Record<string, unknown>>) => string;
  readonly stop: (fields: Readonly<Record<string, unknown>>, options?: StopOptions) => Replied;
  /** Does not wait; resolves with what it printed, even if it was killed. */
  readonly starts: (
    fields: Readonly<Record<string, unknown>>,
    options?: Pick<StopOptions, 'after'>,
  ) => {
    readonly pid: number;
    readonly kill: () => void;
    readonly end: Promise<Replied>;
  };
  readonly loaded: () => Loaded;
  readonly entries: () => readonly Entry[];
};

type StopOptions = {
  readonly session?: string;
  /** What a shell does first, such as `ulimit -f 2`. */
  readonly after?: string;
  /** Loaded into the hook before its own code. */
  readonly preload?: string;
  readonly dist?: string;
};

export function anArmedSession(spec: Partial<Spec> = {}, project: string = aProject()): ArmedSession {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'tireless-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = openFileStore({ home });
  const draft = aStartDraft(LOOP, aSessionSpec(spec));
  const created = store.create(LOOP, {
    ...draft,
    event: { ...draft.event, session: SESSION, cwd: project } as typeof draft.event,
  });
  if (created.kind === 'conflict') throw new Error('a new home has no loop');
  store.bindSession(SESSION, LOOP);
  commit(store, created.loaded, { kind: 'baseline-taken' });

  const lineIn = (dist: string, node = process.execPath): string =>
    guardCall('claude-code', { wake: 'own-session' }, { home, node, script: path.join(dist, 'hook.cjs') });
  const nodeWith = (preload: string): string =>
    writeStandIn(path.join(home, 'node.sh'), [`exec '${process.execPath}' -r '${preload}' "$@"`]);
  const payload: ArmedSession['payload'] = (fields) =>
    JSON.stringify({
      session_id: SESSION.id,
      cwd: project,
      hook_event_name: 'Stop',
      stop_hook_active: true,
      ...fields,
    });
  const environment = (session: string): NodeJS.ProcessEnv => ({
    ...cleanEnvironment(home),
    CLAUDE_CODE_SESSION_ID: session,
    // As `install` sets it.
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000',
  });
  return {
    home,
    project,
    store,
    line: lineIn(DIST),
    marker: path.join(home, 'armed', SESSION.host, SESSION.id),
    journal: path.join(home, 'loops', LOOP, 'journal.jsonl'),
    payload,
    stop: (fields, { session = SESSION.id, after = ':', preload, dist = DIST } = {}) => {
      const line = lineIn(dist, preload === undefined ? undefined : nodeWith(preload));
      const ran = spawnSync('/bin/sh', ['-c', `${after}; ${line}`], {
        input: payload({ session_id: session, ...fields }),
        encoding: 'utf8',
        env: environment(session),
      });
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
    starts: (fields, { after = ':' } = {}) => {
      const child = spawn('/bin/sh', ['-c', `${after}; ${lineIn(DIST)}`], {
        env: environment(SESSION.id),
        stdio: 'pipe',
      });
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString('utf8')));
      child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString('utf8')));
      // A process that was killed no longer reads.
      child.stdin.on('error', () => child.stdin.destroy());
      child.stdin.end(payload(fields));
      const end = new Promise<Replied>((resolve) => child.on('close', (code) => resolve({ code, ...said })));
      return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL'), end };
    },
    loaded: () => {
      const loaded = openFileStore({ home }).load(LOOP);
      if (loaded === undefined) throw new Error('the loop is gone');
      return loaded;
    },
    entries: () => openFileStore({ home }).entries(LOOP),
  };
}
