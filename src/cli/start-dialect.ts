import path from 'node:path';
import { initialState } from '../core/advance.ts';
import { loopOf } from '../core/journal.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import { turnsFor } from '../dialects/counting.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { NewFileSteps, NewStateFile, StateFileReading } from '../engine/new-state-file.ts';
import { requireSameLoop, stateFilePrompt, writeNewStateFile } from '../engine/new-state-file.ts';
import { runAsync } from '../engine/pipeline.ts';
import { systemClock } from '../system/clock.ts';
import { ensureDir, writeFileAtomic } from '../system/files.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { newLoopId } from '../system/ids.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { readGoal } from './read-goal.ts';
import { parseDialect } from './parse-dialect.ts';
import { projectDirectory } from './project.ts';
import type { World } from './services.ts';
import { specFromFlags } from './spec-from-flags.ts';
import type { StartFlags, StartParsed } from './start-args.ts';
import { asRunFlags } from './start-args.ts';
import { claimsFor, refuseForeignFlags } from './start-dialect-flags.ts';

export type WrittenStateFile = {
  readonly dialect: DialectName;
  /** Relative to the project. */
  readonly file: string;
  /** Where the file that stood there before was kept; `null` = there was none. */
  readonly kept: string | null;
  readonly reading: StateFileReading;
  /** The maximum that stands in the file, counted as its document counts. */
  readonly maximum: number;
  readonly prompt: string;
};

/**
 * Writes the state file of a new loop where its document says. No loop exists yet: the hook of that dialect starts it at the first stop,
 * as it would for a file that the other tool wrote. An active file is never written over.
 */
export async function writeStateFile(
  { words, values: flags }: StartParsed,
  session: SessionRef | null,
  world: World,
): Promise<WrittenStateFile> {
  const name = parseDialect(flags.dialect ?? '');
  refuseForeignFlags(name, flags);
  const dialect = await world.services.dialect(name);
  const project = projectDirectory(flags.cwd, world.cwd);
  const loop = newLoopId(systemClock().read());
  const { spec, maximum } = await specFor(dialect, { name, words, flags, loop, project }, world);
  const file = DIALECTS[name].newFile(loop, session?.id ?? null);
  const text = textOf({ dialect, spec, loop, session, project });
  const hasOwnClaim = DIALECTS[name].start.claims === 'fixed';
  const reading = requireSameLoop(name, dialect.read(text), { spec, hasOwnClaim });
  const isReplaced = await write({ live: { dialect, path: path.join(project, file) }, file, text, session }, world);
  return {
    dialect: name,
    file,
    kept: isReplaced ? `${file}.old` : null,
    reading,
    maximum,
    prompt: stateFilePrompt(file, spec.goal, reading),
  };
}

async function write(newFile: NewStateFile, { services }: World): Promise<boolean> {
  const { path: file, dialect } = newFile.live;
  const { prepare } = await services.dialectExtras(dialect.name);
  const { effects } = await services.session();
  const steps: NewFileSteps = {
    makeFolder: () => {
      if (prepare === undefined) ensureDir(path.dirname(file));
      else prepare(file);
      removeLeftoversOf(file);
    },
    keepOld: (text) => writeFileAtomic(`${file}.old`, text, { durable: true }),
  };
  return (await runAsync(writeNewStateFile(newFile, steps), effects)) === 'replaced';
}

type SpecRequest = {
  readonly name: DialectName;
  readonly words: readonly string[];
  readonly flags: StartFlags;
  readonly loop: LoopId;
  readonly project: string;
};

async function specFor(
  dialect: Dialect,
  { name, words, flags, loop, project }: SpecRequest,
  world: World,
): Promise<{ readonly spec: Spec; readonly maximum: number }> {
  const { goal, template, criteria } = await readGoal(words, flags, project, world);
  const texts = claimsFor(name, flags, template?.claim ?? null);
  // Only a document with criteria makes some of the goal; for the others the open TODOs stand in the goal.
  const kept = criteria.length === 0 ? (dialect.criteriaFor?.(goal) ?? []) : criteria;
  const asked = { loop, goal, repository: null, template, driver: 'session' as const };
  const spec = specFromFlags({ ...asked, flags: asRunFlags({ ...flags, claim: [] }, kept) });
  const { counting, maxIterationsDefault } = DIALECTS[name];
  const maximum = Number(flags['max-iterations'] ?? template?.iterationsMax ?? maxIterationsDefault);
  const limits = { ...spec.limits, iterationsMax: turnsFor(maximum, counting) };
  return { spec: { ...spec, limits, claim: { ...spec.claim, texts } }, maximum };
}

type FileContext = {
  readonly dialect: Dialect;
  readonly session: SessionRef | null;
  readonly project: string;
};

function textOf(context: FileContext & { readonly spec: Spec; readonly loop: LoopId }): string {
  const { dialect, spec, loop, session, project } = context;
  const clock = systemClock().read();
  const born = { kind: 'loop-started', loop, spec, session, cwd: project, machine: thisMachine() } as const;
  const state = initialState(born, { clock }, new Date(clock.wallMs).toISOString());
  const text = dialect.newText(loopOf(spec, state));
  return session === null || dialect.withSession === undefined ? text : dialect.withSession(text, session.id);
}
