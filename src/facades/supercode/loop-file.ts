import path from 'node:path';
import type { Event } from '../../core/event.ts';
import type { Limit, LoopId, State } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { supercode } from '../../dialects/supercode/dialect.ts';
import { changeFile } from '../../engine/change-file.ts';
import { beginIteration } from '../../engine/dialect-delivery.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import type { UserAdditions } from '../../engine/start-from-file.ts';
import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import { cancelLoopOfFile } from '../../engine/live-event.ts';
import { loopOfFile, viewFile } from '../../engine/loop-of-file.ts';
import { startFromFile } from '../../engine/start-from-file.ts';
import { failOpen } from '../../engine/fail-open.ts';
import { leaveFile } from '../../engine/file-owner.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { LiveFile } from '../../engine/live-file.ts';
import { isReplaced } from '../../engine/live-file.ts';
import type { Loaded, TurnReport } from '../../engine/ports.ts';
import { archivedTexts } from '../../stores/archive.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { openEmbeddedEngine, placeInProject } from '../embedded-engine.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { RalphLoopState } from './ralph-loop.ts';
import { problemOfState, readState, requireCleared, requireWritten, stateFilePath } from './storage.ts';

const HOST = 'supercode';
/** Prompts are injected after the decision, so each iteration has its own `iteration-began`. */
const APART: UserAdditions = { delivery: 'apart' };
/** In the archive of a loop: how much of its session had been heard when it ended. */
const MARK_FILE = 'heard.json';

/**
 * The state file and its loop on the engine. For a file that names no session, `read` returns the session that drives it. `read` and `problem`
 * never throw; the others throw a Fault.
 */
export type LoopFile = {
  readonly read: () => RalphLoopState | null;
  readonly path: string;
  /** Why the file cannot be read; `null` = it can, or there is none. */
  readonly problem: () => string | null;
  /** The loop according to the journal. */
  readonly loop: () => Loaded | undefined;
  /** The ended loops of this file and session, oldest first. */
  readonly earlier: (sessionId: string) => readonly Loaded[];
  /** Replaces the loop in the file with a new one. If that fails, the file stays, and its loop continues. */
  readonly start: (state: RalphLoopState) => void;
  /** Commits the start of this loop's next iteration; `undefined` = the loop is not waiting for it. */
  readonly begin: (sessionId: string, meant: LoopId) => Loaded | undefined;
  readonly post: (sessionId: string, event: Event, report?: TurnReport) => DialectHandled;
  /**
   * Cancels this session's loop and removes its file. `none`: it had neither; `stuck`: the file could not be removed. `isUnowned`: also removes a
   * file that names no session, which this one would drive.
   */
  readonly end: (sessionId: string, isUnowned?: boolean) => 'ended' | 'none' | 'stuck';
  /** Keeps a text beside the journal of an ended loop; `recalled` returns it, even if another process kept it. */
  readonly keep: (loop: LoopId, text: string) => void;
  readonly recalled: (loop: LoopId) => readonly string[];
};

export function openLoopFile(workdir: string, stateDir?: string, dayTurnsMax?: Limit): LoopFile {
  const extras = dayTurnsMax === undefined ? APART : { ...APART, dayTurnsMax };
  const file = stateFilePath(workdir, stateDir);
  const live = { dialect: supercode, path: file };
  let opened: EmbeddedEngine | undefined;
  // Opened when first needed: a hook that is registered but never used leaves no trace.
  const engine = (): EmbeddedEngine =>
    (opened ??= openEmbeddedEngine({ warn: (sentence) => Log.warn(`[${HOOK_NAME}] ${sentence}`) }));
  const cwd = path.resolve(workdir);
  const relative = path.relative(cwd, file).split(path.sep).join('/');
  const place = (sessionId: string): DialectPlace =>
    placeInProject(supercode, cwd, relative, { host: HOST, id: sessionId });
  const read = (): RalphLoopState | null => {
    const state = readState(workdir, stateDir);
    return state?.sessionId === '' ? { ...state, sessionId: ownerOf(engine, live) } : state;
  };
  const loop = (): Loaded | undefined => engine().run(loopOfFile({ live }));
  const cancel = (isMeant: (known: Loaded) => boolean): boolean =>
    engine().run(cancelLoopOfFile({ live }, isMeant)) === 'cancelled';
  return {
    read,
    path: file,
    problem: () => problemOfState(workdir, stateDir),
    loop,
    earlier: (sessionId) =>
      engine()
        .store.list({ ended: true })
        .filter(
          ({ spec, state }) => isOfSession(state, sessionId) && state.cwd === cwd && spec.dialect?.file === relative,
        )
        .toSorted((one, other) => one.state.startedAt.localeCompare(other.state.startedAt)),
    start: (state) => {
      const write = (): void => requireWritten(workdir, state, stateDir);
      replaceLoop(engine(), place(state.sessionId), state, { write, extras });
    },
    begin: (sessionId, meant) =>
      loop()?.state.loop === meant ? engine().run(beginIteration(place(sessionId), extras)) : undefined,
    post: (sessionId, event, report = {}) => engine().run(handleDialectEvent(place(sessionId), event, report, extras)),
    end: (sessionId, isUnowned = false) => {
      const owner = read()?.sessionId ?? '';
      if (owner !== '' && owner !== sessionId) {
        // The file now contains another loop. It is left alone and not marked as seen: its own session begins it.
        const known = loop();
        if (known !== undefined && !isEnded(known.state) && isOfSession(known.state, sessionId))
          engine().run(handleEvent(known.state.loop, { kind: 'cancel-requested' }));
        return 'none';
      }
      const wasRunning = cancel(({ state }) => isOfSession(state, sessionId));
      // Still there after it was switched off, or never became a loop of ours.
      const left = read()?.sessionId;
      if (left !== sessionId && (left !== '' || !isUnowned)) return wasRunning ? 'ended' : 'none';
      return requireCleared(workdir, stateDir) ? 'ended' : 'stuck';
    },
    keep: (id, text) => void engine().archive(id, MARK_FILE, text),
    recalled: (id) => archivedTexts(engine().home, id, MARK_FILE),
  };
}

function replaceLoop(
  engine: EmbeddedEngine,
  at: DialectPlace,
  state: RalphLoopState,
  { write, extras }: { readonly write: () => void; readonly extras: UserAdditions },
): void {
  const reading = supercode.read(JSON.stringify(state));
  if (reading.kind === 'invalid') throw new Error(`a state of ours that cannot be read: ${reading.why}`);
  const file = at.live.path;
  const before = engine.run(loopOfFile(at));
  const old = engine.effects.readFile(file);
  write();
  const written = engine.effects.readFile(file);
  try {
    if (before !== undefined && !isEnded(before.state)) {
      if (old !== null) engine.archive(before.state.loop, file, old.text);
      engine.run(leaveFile(before.state.loop));
    }
    engine.run(startFromFile(at, at.session, reading, extras));
  } catch (error) {
    // A partial start does not count: without a journal no limit would be enforced. The previous loop continues with its old file.
    changeFile(engine.effects, file, (now) => (now === written?.text ? (old?.text ?? null) : now));
    throw error;
  }
}

/** The session whose open loop lives in a file that names none; `''` = it belongs to nobody yet, or the journal cannot be read. */
function ownerOf(engine: () => EmbeddedEngine, live: LiveFile): string {
  const find = (): string => {
    const view = engine().run(viewFile({ live }));
    const { known } = view;
    if (known === undefined || isEnded(known.state) || isReplaced(known, view)) return '';
    return known.state.session?.id ?? '';
  };
  return failOpen('everything', find, (_, error) => {
    Log.warn(`[${HOOK_NAME}] Failed to look for the owner`, { error: String(error) });
    return '';
  });
}

function isOfSession({ session }: State, sessionId: string): boolean {
  return session?.id === sessionId;
}
