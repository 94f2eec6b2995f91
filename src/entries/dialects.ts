import path from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';
import type { Spec } from '../core/loop.ts';
import type { LiveFile } from '../engine/live-file.ts';

/** One import each: who uses none of them loads neither YAML nor schemas. */
const DIALECTS: Readonly<Record<string, () => Promise<Dialect>>> = {
  athena: async () => (await import('../dialects/athena/read.ts')).athena,
  'loop-mechanics': async () => (await import('../dialects/loop-mechanics/read.ts')).loopMechanics,
  supercode: async () => (await import('../dialects/supercode/read.ts')).supercode,
  stravinsky: async () => (await import('../dialects/stravinsky/read.ts')).stravinsky,
  'ralph-wiggum': async () => (await import('../dialects/ralph-wiggum/read.ts')).ralphWiggum,
  'ralph-loop': async () => (await import('../dialects/ralph-loop/read.ts')).ralphLoop,
};

/** `undefined` = there is no such dialect. */
export async function dialectNamed(name: string): Promise<Dialect | undefined> {
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name]?.() : undefined;
}

/** Where the foreign file of a loop stands; `undefined` = it has none, or one of a dialect this version does not know. */
export async function liveFileOf(spec: Spec, cwd: string): Promise<LiveFile | undefined> {
  if (spec.dialect === undefined) return undefined;
  const dialect = await dialectNamed(spec.dialect.name);
  return dialect === undefined ? undefined : { dialect, path: path.join(cwd, spec.dialect.file) };
}
