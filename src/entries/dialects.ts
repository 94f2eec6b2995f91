import path from 'node:path';
import type { Event } from '../core/event.ts';
import type { Spec } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import { isDialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { LiveFile } from '../engine/live-file.ts';
import type { Effects, Handled } from '../engine/ports.ts';
import type { HookPorts } from '../facades/ralph-wiggum/extras.ts';

type Facade = {
  /** The dialect for a command in this project, if a document keeps the files of its loops in more than one folder. */
  inProject?: (cwd: string) => Promise<Dialect>;
  extras?: (home: string) => Promise<DialectExtras>;
};

/** What documents do besides their state file, behind one import each. A dialect that is not listed does nothing else. */
const FACADES: Readonly<Partial<Record<DialectName, Readonly<Facade>>>> = {
  athena: { extras: async () => (await import('../facades/athena/extras.ts')).athenaExtras },
  'loop-mechanics': {
    extras: async (home) => (await import('../facades/loop-mechanics/extras.ts')).loopMechanicsExtras(home),
  },
  stravinsky: {
    // Loaded with the first prompt, because a stop does not need it.
    extras: async () => ({
      remind: async (request) => (await import('../facades/stravinsky/extras.ts')).remindOfTodos(request),
    }),
  },
  'ralph-wiggum': {
    inProject: async (cwd) => (await import('../facades/ralph-wiggum/kept-file.ts')).wiggumWithHistory(cwd),
    extras: async (home) =>
      (await import('../facades/ralph-wiggum/extras.ts')).ralphWiggumExtras(home, await hookPortsIn(home)),
  },
};

export async function loadDialect(name: DialectName): Promise<Dialect> {
  return DIALECTS[name].load();
}

export async function loadDialectExtras(name: string, home: string): Promise<DialectExtras> {
  return (isDialectName(name) ? await FACADES[name]?.extras?.(home) : undefined) ?? {};
}

/** What a document keeps besides its file follows every event, including those that no hook reported. */
export async function settleDialect(home: string, event: Event, handled: Handled): Promise<void> {
  const { loaded } = handled;
  if (loaded?.spec.dialect === undefined) return;
  const { settle } = await loadDialectExtras(loaded.spec.dialect.name, home);
  settle?.(loaded.state.cwd, event, handled);
}

async function hookPortsIn(home: string): Promise<HookPorts> {
  const { hostGoneLookup, isOwnAgent, restartWatch, watchingFor } = await import('./start-approval-watch.ts');
  const { hookLeftMs } = await import('./hook-time.ts');
  const { systemClock } = await import('../system/clock.ts');
  return {
    probe: await probesIn(home),
    leftMs: hookLeftMs,
    sleep: (ms) => systemClock().sleep(ms).done,
    watchingFor: (host, cwd, rules) => watchingFor(home, host, cwd, rules),
    hostGoneLookup,
    isOwnAgent,
    restartWatch: (loop) => restartWatch(home, loop),
  };
}

async function probesIn(home: string): Promise<Effects['probe']> {
  const { createProbes } = await import('../evidence/probe.ts');
  const { readHeartbeat } = await import('../stores/heartbeat.ts');
  return createProbes({ readHeartbeat: (loop) => readHeartbeat(home, loop) }).probeSync;
}

/** Where the foreign file of a loop is; `undefined` = it has none, or its dialect is unknown to this version. */
export async function liveFileOf({ dialect }: Spec, cwd: string): Promise<LiveFile | undefined> {
  if (dialect === undefined || !isDialectName(dialect.name)) return undefined;
  const { inProject } = FACADES[dialect.name] ?? {};
  return { dialect: await (inProject?.(cwd) ?? loadDialect(dialect.name)), path: path.join(cwd, dialect.file) };
}
