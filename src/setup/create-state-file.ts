import path from 'node:path';
import { initialState } from '../core/advance.ts';
import { Fault } from '../core/fault.ts';
import { loopOf } from '../core/journal.ts';
import type { Limit, LoopId, SessionRef, Spec } from '../core/loop.ts';
import { isSameSession } from '../core/loop.ts';
import type { Score } from '../core/rubric.ts';
import { turnsFor } from '../dialects/counting.ts';
import type { AskedTimes, Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { DialectExtras } from '../engine/dialect-extras.ts';
import type { DialectPlace } from '../engine/loop-of-file.ts';
import { reserveFile } from '../engine/start-from-file.ts';
import type { NewFileSteps, NewStateFile, StateFileReading } from '../engine/new-state-file.ts';
import { requireSameLoop, stateFilePrompt, writeNewStateFile } from '../engine/new-state-file.ts';
import { runAsync } from '../engine/pipeline.ts';
import { systemClock } from '../system/clock.ts';
import { ensureDir, writeFileAtomic } from '../system/files.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { limitDurationText } from '../views/duration.ts';
import type { SetupWorld } from './setup-world.ts';

/** The requested successful end of a new file's loop. */
type AskedClaims = {
  readonly typed: readonly string[];
  readonly ofTemplate: string | null;
  /** Moving a file ends the loop. */
  readonly isFileWatched: boolean;
  /** The goal is a list of TODOs. */
  readonly isFromTodos: boolean;
};

export type StateFileRequest = {
  readonly name: DialectName;
  readonly dialect: Dialect;
  readonly loop: LoopId;
  /** The loop without its claim and maximum, which the document derives from `claims` and `maximum`. */
  readonly spec: Spec;
  readonly session: SessionRef | null;
  readonly project: string;
  /** As the document counts. */
  readonly maximum: number;
  readonly claims: AskedClaims;
  /** The requested times, which the file has to express. */
  readonly asked: AskedTimes;
};

type Services = Pick<SetupWorld['services'], 'session'> & {
  readonly dialectExtras: (name: string) => Promise<DialectExtras>;
};

const TODOS_DONE = 'All TODOs complete';

export type WrittenStateFile = {
  readonly dialect: DialectName;
  /** Relative to the project. */
  readonly file: string;
  /** The loop that waits for the first stop of its session; `null` = no loop exists before that stop. */
  readonly loop: LoopId | null;
  /** The session the file is for; `null` = the first that stops. */
  readonly session: string | null;
  /** Where the previous file was kept; `null` = there was none. */
  readonly kept: string | null;
  readonly reading: StateFileReading;
  /** How well the goal suits a loop; `null` = the document does not score it. */
  readonly score: Score | null;
  /** The maximum in the file, as its document counts. */
  readonly maximum: number;
  readonly prompt: string;
};

/**
 * Writes the state file of a new loop where its document expects it. The hook of that dialect starts the loop at the first stop, as it would for a
 * file that the other tool wrote; before that, a loop exists only for a session that the file cannot name. An active file is never overwritten.
 */
export async function createStateFile(request: StateFileRequest, services: Services): Promise<WrittenStateFile> {
  const { name, dialect, loop, session, project, maximum, asked } = request;
  const { counting, newFile, start } = DIALECTS[name];
  const limits = { ...request.spec.limits, iterationsMax: turnsFor(maximum, counting) };
  const claim = { ...request.spec.claim, texts: claimsFor(name, request.claims) };
  const spec = { ...request.spec, limits, claim };
  const file = newFile(loop, session?.id ?? null);
  const text = textOf({ dialect, spec, loop, session, project, asked });
  const reading = requireSameLoop(name, dialect.read(text), { spec, hasOwnClaim: start.claims === 'fixed' });
  requireSameTimes(name, reading, { spec, asked });
  const live = { dialect, path: path.join(project, file) };
  const isReplaced = await write({ live, file, text, session }, project, services);
  const isReserved = session !== null && reading.session === null;
  const owned = isReserved ? await reserve({ live, cwd: project, file, session }, reading, services) : null;
  return {
    dialect: name,
    file,
    loop: owned,
    session: session?.id ?? null,
    kept: isReplaced ? `${file}.old` : null,
    reading,
    score: dialect.scoreFor?.(spec) ?? null,
    maximum,
    prompt: stateFilePrompt(file, spec.goal, reading),
  };
}

/** Only a document with criteria derives them from the goal; for the others, the open TODOs are part of the goal. */
export function criteriaFor(dialect: Dialect, goal: string, asked: readonly string[]): readonly string[] {
  return asked.length === 0 ? (dialect.criteriaFor?.(goal) ?? []) : asked;
}

/** For a document that has no field for the session: the journal records it instead. */
async function reserve(
  place: DialectPlace & { readonly session: SessionRef },
  reading: StateFileReading,
  services: Services,
): Promise<LoopId> {
  const { effects } = await services.session();
  const { state } = await runAsync(reserveFile(place, place.session, reading), effects);
  if (isSameSession(state.session, place.session)) return state.loop;
  throw new Fault(
    'STATE_CONFLICT',
    `Another session took over ${place.file} while it was being written: loop ${state.loop}. End that one with "tireless cancel ${state.loop}", and start again.`,
  );
}

async function write(newFile: NewStateFile, project: string, services: Services): Promise<boolean> {
  const { path: file, dialect } = newFile.live;
  const { prepare, written } = await services.dialectExtras(dialect.name);
  const { effects } = await services.session();
  const steps: NewFileSteps = {
    makeFolder: () => {
      if (prepare === undefined) ensureDir(path.dirname(file));
      else prepare(file);
      removeLeftoversOf(file);
    },
    keepOld: (text) => writeFileAtomic(`${file}.old`, text, { durable: true }),
  };
  const isReplaced = (await runAsync(writeNewStateFile(newFile, steps), effects)) === 'replaced';
  written?.(project);
  return isReplaced;
}

type FileContext = {
  readonly dialect: Dialect;
  readonly session: SessionRef | null;
  readonly project: string;
  readonly asked: AskedTimes;
};

function textOf(context: FileContext & { readonly spec: Spec; readonly loop: LoopId }): string {
  const { dialect, spec, loop, session, project, asked } = context;
  const clock = systemClock().read();
  const born = { kind: 'loop-started', loop, spec, session, cwd: project, machine: thisMachine() } as const;
  const state = initialState(born, { clock }, new Date(clock.wallMs).toISOString());
  const text = dialect.newText(loopOf(spec, state), asked);
  return session === null || dialect.withSession === undefined ? text : dialect.withSession(text, session.id);
}

/** Refuses a time that the file cannot express exactly. Throws `USAGE`. */
function requireSameTimes(
  name: DialectName,
  { durationMaxMs, timing }: StateFileReading,
  { spec, asked }: { readonly spec: Spec; readonly asked: AskedTimes },
): void {
  const compare = (flag: keyof AskedTimes, wanted: Limit, held: Limit | undefined): void => {
    if (asked[flag] !== true || wanted === held) return;
    throw new Fault(
      'USAGE',
      `Cannot keep --${flag} ${limitText(wanted)} in the state file of ${name}: it would be read back as ${limitText(held ?? 'unlimited')}. Give a time that it can store.`,
    );
  };
  compare('max-duration', spec.limits.durationMaxMs, durationMaxMs);
  compare('pause-between', spec.timing.pauseBetweenMs, timing?.pauseBetweenMs);
}

function limitText(limit: Limit): string {
  return limit === 'unlimited' ? limit : limitDurationText(limit);
}

/** The texts for the file. In the document that accepts several, they are separated by `|`. */
function claimsFor(name: DialectName, asked: AskedClaims): readonly string[] {
  const { typed, ofTemplate, isFileWatched, isFromTodos } = asked;
  const { claims, claimDefault } = DIALECTS[name].start;
  if (typed.some((text) => text.trim() === ''))
    throw new Fault('USAGE', 'Cannot use an empty string for --claim: nothing would match it. Give the text.');
  if (claims === 'fixed') return [claimDefault];
  if (typed.length > 0) {
    const given = claims === 'several' ? typed.flatMap((text) => text.split('|')) : typed;
    const texts = given.map((text) => text.trim()).filter((text) => text !== '');
    const takeSeveral = DIALECT_NAMES.filter((each) => DIALECTS[each].start.claims === 'several').join(', ');
    if (claims === 'one' && texts.length > 1)
      throw new Fault(
        'USAGE',
        `Cannot keep ${texts.length} texts for --claim in the state file of ${name}: it can store one. Give one; ${takeSeveral} and native loops take several.`,
      );
    return texts;
  }
  if (ofTemplate !== null) return [ofTemplate];
  // A moved file ends the loop by itself.
  if (isFileWatched) return [];
  return [isFromTodos ? TODOS_DONE : claimDefault];
}
