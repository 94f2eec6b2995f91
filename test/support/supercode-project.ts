import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Entry } from '../../src/core/journal.ts';
import { supercode } from '../../src/dialects/supercode/dialect.ts';
import { handleLiveEvent } from '../../src/engine/live-event.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { LogSink, Message, RalphLoop, RalphLoopOptions, Toast } from '../../src/facades/supercode/index.ts';
import { createRalphLoopHook, setLog } from '../../src/facades/supercode/index.ts';
import { openFileStore } from '../../src/stores/file-store.ts';

export const SESSION = 'ses_1';

/** A host around the hook: a real project and home on disk, a conversation, and what the user saw. */
export type SupercodeProject = {
  readonly dir: string;
  readonly file: string;
  readonly messages: Message[];
  readonly injected: { sessionId: string; prompt: string }[];
  readonly toasts: Toast[];
  readonly logged: string[];
  /** A hook as a new process of the host would create it. */
  hook(options?: RalphLoopOptions): RalphLoop;
  idle(hook: RalphLoop, sessionId?: string): Promise<void>;
  /** The agent answers and stops, and the settle window passes. */
  turn(hook: RalphLoop, says: string): Promise<void>;
  text(): string;
  /** What `tireless resume --max-iterations` does to the newest loop. */
  resume(iterationsMax: number): void;
  /** Of the newest loop. */
  entries(): readonly Entry[];
  /** The status of every loop, by its goal. */
  loops(): Readonly<Record<string, string>>;
};

/** Fake timers, a temporary project and home for every test of the file. */
export function useSupercodeProject(): () => SupercodeProject {
  let project: SupercodeProject | undefined;
  let root = '';
  let log: LogSink;

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-01-12T09:30:00.000Z') });
    root = mkdtempSync(path.join(tmpdir(), 'tireless-supercode-'));
    vi.stubEnv('TIRELESS_HOME', path.join(root, 'home'));
    const logged: string[] = [];
    const note = (message: string): void => void logged.push(message);
    log = setLog({ info: note, warn: note, error: note });
    project = open(path.join(root, 'project'), path.join(root, 'home'), logged);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    setLog(log);
    rmSync(root, { recursive: true, force: true });
  });

  return () => {
    if (project === undefined) throw new Error('only inside a test');
    return project;
  };
}

function open(dir: string, home: string, logged: string[]): SupercodeProject {
  const file = path.join(dir, '.supercoin', 'ralph-loop-state.json');
  const messages: Message[] = [];
  const injected: { sessionId: string; prompt: string }[] = [];
  const toasts: Toast[] = [];
  const idle: SupercodeProject['idle'] = async (hook, sessionId = SESSION) => {
    await hook.handler({ event: 'session.idle', sessionId });
  };
  return {
    dir,
    file,
    messages,
    injected,
    toasts,
    logged,
    hook: (options = {}) =>
      createRalphLoopHook({
        workdir: dir,
        getMessages: async () => [...messages],
        injectPrompt: async (sessionId, prompt) => {
          injected.push({ sessionId, prompt });
          messages.push({ role: 'user', content: prompt });
        },
        showToast: (toast) => toasts.push(toast),
        ...options,
      }),
    idle,
    turn: async (hook, says) => {
      messages.push({ role: 'assistant', content: says });
      await idle(hook);
      await vi.advanceTimersByTimeAsync(500);
    },
    text: () => readFileSync(file, 'utf8'),
    resume: (iterationsMax) => {
      const engine = openEmbeddedEngine({ home });
      const loop = engine.store.list({ ended: 'both' }).at(-1)?.state.loop ?? '';
      const event = { kind: 'resume-requested', limits: { iterationsMax } } as const;
      engine.run(handleLiveEvent(loop, event, { noReply: true }, { dialect: supercode, path: file }));
      engine.close();
    },
    loops: () =>
      Object.fromEntries(
        openFileStore({ home })
          .list({ ended: 'both' })
          .map(({ spec, state }) => [spec.goal, state.status]),
      ),
    entries: () => {
      const store = openFileStore({ home });
      const newest = store.list({ ended: 'both' }).at(-1);
      return newest === undefined ? [] : store.entries(newest.state.loop);
    },
  };
}
