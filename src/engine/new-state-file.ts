import type { ClaimRule } from '../core/claim.ts';
import { findClaim } from '../core/claim.ts';
import { Fault } from '../core/fault.ts';
import type { FileReading } from '../core/foreign-file.ts';
import type { SessionRef, Spec } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import { claimInstruction } from '../core/prompt.ts';
import { oneLine } from '../core/quoting.ts';
import { refuseHeldSession } from './arm-loop.ts';
import { loopOfFile } from './loop-of-file.ts';
import { handleLiveEvent } from './live-event.ts';
import type { LiveFile } from './live-file.ts';
import { startsNewLoop } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';

/** The state file of another tool, read as a loop. */
export type StateFileReading = FileReading & { readonly kind: 'loop' };

export type NewStateFile = {
  readonly live: LiveFile;
  /** The path of the file, relative to the project. */
  readonly file: string;
  readonly text: string;
  /** The session that the file names; `null` = none. */
  readonly session: SessionRef | null;
};

/** File operations of the caller that are not effects. */
export type NewFileSteps = {
  /** The file can be written: create its folder. */
  readonly makeFolder: () => void;
  /** Back up the file that is about to be replaced. */
  readonly keepOld: (text: string) => void;
};

const TEXT_BYTES_MAX = 160;
const WHY_BYTES_MAX = 400;

/**
 * Writes the state file of a new loop. The loop does not exist yet: the hook of that dialect starts it at the first stop, as it would for a
 * file written by the other tool. A file with an active loop is never replaced. Returns whether another file was replaced.
 */
export function* writeNewStateFile(
  { live, file, text, session }: NewStateFile,
  { makeFolder, keepOld }: NewFileSteps,
): Pipeline<'new' | 'replaced'> {
  const before = yield* perform('readFile', live.path);
  const reading = before === null ? null : live.dialect.read(before.text);
  const known = yield* loopOfFile({ live });
  const open = known === undefined || isEnded(known.state) ? null : known.state.loop;
  if (reading?.kind === 'invalid')
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot write ${file}: it already exists and cannot be read: ${oneLine(reading.why, WHY_BYTES_MAX)}. Correct it or move it away.`,
    );
  // If a limit ended the loop, its document may have left the file unchanged.
  const isOver = before !== null && known !== undefined && isEnded(known.state) && !startsNewLoop(known.state, before);
  if (reading?.active === true && reading.isMarkedDone !== true && !isOver)
    throw new Fault(
      'LOOP_STATE',
      `Cannot write ${file}: the loop in it is active. ${open === null ? 'Switch it off in the file, or delete the file' : `End it with "tireless cancel ${open}"`}, and start again.`,
    );
  yield* endLeftLoop(live);
  if (session !== null) yield* refuseHeldSession(session);
  makeFolder();
  const now = yield* perform('readFile', live.path);
  if (now !== null) keepOld(now.text);
  if ((yield* perform('replaceFile', live.path, now?.hash ?? null, text)) === 'replaced')
    return now === null ? 'new' : 'replaced';
  throw new Fault('STATE_CONFLICT', `Another process is changing ${file}. Try again in a moment.`);
}

/**
 * Before a new file is written: ends the loop whose file was deleted or switched off by hand, if no stop has noticed yet. Otherwise the new file
 * would look like an edit of that loop.
 */
export function* endLeftLoop(live: LiveFile): Pipeline<void> {
  const known = yield* loopOfFile({ live });
  if (known === undefined || isEnded(known.state)) return;
  yield* handleLiveEvent(known.state.loop, { kind: 'cancel-requested' }, {}, live);
}

/**
 * Checks that a new file contains the requested loop. If the claim got lost on the way, nobody could end the loop, so such a file is not
 * written. `hasOwnClaim`: the document has a fixed claim. Throws `USAGE`.
 */
export function requireSameLoop(
  name: string,
  reading: FileReading,
  { spec, hasOwnClaim }: { readonly spec: Spec; readonly hasOwnClaim: boolean },
): StateFileReading {
  if (reading.kind === 'invalid')
    throw new Fault('USAGE', `Cannot put this goal into the state file of ${name}: ${reading.why}. Change the goal.`);
  const { texts } = reading.claim;
  const wanted = spec.claim.texts;
  const isSame = texts.length === wanted.length && wanted.every((text, at) => text.trim() === texts[at]?.trim());
  if (!isSame && !hasOwnClaim)
    throw new Fault(
      'USAGE',
      `Cannot keep the claim ${quotedList(wanted)} in the state file of ${name}: it would be read back as ${texts.length === 0 ? 'none' : quotedList(texts)}. Use another text for --claim.`,
    );
  if (reading.claimedIn !== undefined && findClaim(reading.claim, reading.claimedIn, '').made !== null)
    throw new Fault(
      'USAGE',
      `Cannot use the claim ${quotedList(texts.slice(0, 1))} for ${name}: the goal contains it, so its state file would count as done at once. Use another text for --claim.`,
    );
  return reading;
}

/** The first text for the agent: the goal as typed, and how to report to that document that the goal is met. */
export function stateFilePrompt(file: string, goal: string, reading: StateFileReading): string {
  return `${goal.trim()}\n\n${endingFor(file, reading)}`;
}

function endingFor(file: string, reading: StateFileReading): string {
  const { claim, claimedIn, criteria, checks = [], costMaxUsd } = reading;
  if (claimedIn !== undefined)
    return `Keep your notes in ${file}, below its front matter. When the whole goal is met, and not before, write the completion marker that its front matter names into them.`;
  const ticks =
    criteria.length === 0 ? '' : `Set a criterion to true in criteriaStatus of ${file} only when it is true. `;
  const moved = checks.flatMap(({ probe }) => (probe.kind === 'file-moved' ? [probe] : []))[0];
  const move = moved === undefined ? '' : `The loop ends when ${moved.path} has been moved to ${moved.folder}. `;
  const cost =
    typeof costMaxUsd === 'number'
      ? `At the end of each turn, keep "cost" in ${file} at what the work has cost so far, in US dollars: the loop has a budget. `
      : '';
  return `${ticks}${cost}${move}${instructionFor(claim)}`.trimEnd();
}

function instructionFor(claim: ClaimRule): string {
  return claim.texts.length === 0 ? '' : claimInstruction(claim);
}

function quotedList(texts: readonly string[]): string {
  return texts.map((text) => `"${oneLine(text, TEXT_BYTES_MAX)}"`).join(', ');
}
