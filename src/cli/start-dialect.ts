import path from 'node:path';
import { initialState } from '../core/advance.ts';
import { claimInstruction } from '../core/prompt.ts';
import { findClaim } from '../core/claim.ts';
import type { ClaimRule } from '../core/claim.ts';
import { Fault } from '../core/fault.ts';
import type { FileReading } from '../core/foreign-file.ts';
import { loopOf } from '../core/journal.ts';
import { isEnded } from '../core/loop.ts';
import type { LoopId, SessionRef, Spec } from '../core/loop.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { DialectName } from '../dialects/names.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { loopOfFile } from '../engine/dialect-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import { systemClock } from '../system/clock.ts';
import { ensureDir, writeFileAtomic } from '../system/files.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { newLoopId } from '../system/ids.ts';
import { thisMachine } from '../system/worker-identity.ts';
import { oneLine } from '../views/printable.ts';
import { refuseHeld } from './arm-loop.ts';
import { askedGoal } from './asked-goal.ts';
import { dialectNamed } from './dialect-name.ts';
import { projectDirectory } from './project.ts';
import type { World } from './services.ts';
import { specFromFlags } from './spec-from-flags.ts';
import type { StartFlags, StartParsed } from './start-args.ts';
import { asRunFlags } from './start-args.ts';
import { claimsFor, refuseForeignFlags } from './start-dialect-flags.ts';

type Reading = FileReading & { readonly kind: 'loop' };

export type DialectStarted = {
  readonly dialect: DialectName;
  /** Relative to the project. */
  readonly file: string;
  /** Where the file that stood there before was kept; `null` = there was none. */
  readonly kept: string | null;
  readonly reading: Reading;
  readonly prompt: string;
};

/**
 * Writes the state file of a new loop where its document says. No loop exists yet: the hook of that dialect starts it at the first stop,
 * as it would for a file that the other tool wrote. An active file is never written over.
 */
export async function startInDialect(
  { words, values: flags }: StartParsed,
  session: SessionRef | null,
  world: World,
): Promise<DialectStarted> {
  const name = dialectNamed(flags.dialect ?? '');
  refuseForeignFlags(name, flags);
  const dialect = await world.services.dialect(name);
  const project = projectDirectory(flags.cwd, world.cwd);
  const loop = newLoopId(systemClock().read());
  const spec = await specFor(dialect, { name, words, flags, loop, project }, world);
  const file = DIALECTS[name].newFile(loop, session?.id ?? null);
  const text = textOf({ name, dialect, spec, loop, session, project });
  const reading = requireKept(name, dialect.read(text), spec);
  const kept = await replaceInactive({ name, dialect, project, file, session, text }, world);
  return { dialect: name, file, kept, reading, prompt: promptFor(file, spec.goal, reading) };
}

type Asked = {
  readonly name: DialectName;
  readonly words: readonly string[];
  readonly flags: StartFlags;
  readonly loop: LoopId;
  readonly project: string;
};

async function specFor(dialect: Dialect, { name, words, flags, loop, project }: Asked, world: World): Promise<Spec> {
  const { goal, template, criteria } = await askedGoal(words, flags, project, world);
  const texts = claimsFor(name, flags, template?.claim ?? null);
  // Only a document with criteria makes some of the goal; for the others the open TODOs stand in the goal.
  const kept = criteria.length === 0 ? (dialect.criteriaFor?.(goal) ?? []) : criteria;
  const asked = { loop, goal, repository: null, template, driver: 'session' as const };
  const spec = specFromFlags({ ...asked, flags: asRunFlags({ ...flags, claim: [] }, kept) });
  return { ...spec, claim: { ...spec.claim, texts } };
}

type Place = {
  readonly name: DialectName;
  readonly dialect: Dialect;
  readonly session: SessionRef | null;
  readonly project: string;
};

function textOf(place: Place & { readonly spec: Spec; readonly loop: LoopId }): string {
  const { dialect, spec, loop, session, project } = place;
  const clock = systemClock().read();
  const born = { kind: 'loop-started', loop, spec, session, cwd: project, machine: thisMachine() } as const;
  const state = initialState(born, { clock }, new Date(clock.wallMs).toISOString());
  const text = dialect.newText(loopOf(spec, state));
  return session === null || dialect.withSession === undefined ? text : dialect.withSession(text, session.id);
}

/** What is read from the file is what was asked for, or it is not written: a claim that got lost on the way would be a loop nobody can end. */
function requireKept(name: DialectName, reading: FileReading, spec: Spec): Reading {
  if (reading.kind === 'invalid')
    throw new Fault('USAGE', `Cannot put this goal into the state file of ${name}: ${reading.why}. Change the goal.`);
  const { texts } = reading.claim;
  const isSame =
    texts.length === spec.claim.texts.length && spec.claim.texts.every((text, at) => text.trim() === texts[at]?.trim());
  if (!isSame && DIALECTS[name].start.claims !== 'fixed')
    throw new Fault(
      'USAGE',
      `Cannot keep the claim ${spec.claim.texts.map((text) => `"${oneLine(text, 60)}"`).join(', ')} in the state file of ${name}: it would be read as ${texts.length === 0 ? 'none' : texts.map((text) => `"${oneLine(text, 60)}"`).join(', ')}. Use another text for --claim.`,
    );
  if (reading.claimedIn !== undefined && findClaim(reading.claim, reading.claimedIn, '').made !== null)
    throw new Fault(
      'USAGE',
      `Cannot use the claim "${oneLine(texts[0] ?? '', 60)}" for ${name}: the goal contains it, and its state file would say at once that it is done. Use another text for --claim.`,
    );
  return reading;
}

/** Not through an event: what stands there is looked at, kept, and replaced only if nobody changed it meanwhile. */
async function replaceInactive(
  { name, dialect, project, file, session, text }: Place & { readonly file: string; readonly text: string },
  world: World,
): Promise<string | null> {
  const { effects } = await world.services.session();
  const live = { dialect, path: path.join(project, file) };
  const before = await effects.readFile(live.path);
  const reading = before === null ? null : dialect.read(before.text);
  const known = await runAsync(loopOfFile({ live }), effects);
  const isOpen = known !== undefined && !isEnded(known.state);
  if (reading?.kind === 'invalid')
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot write ${file}: there is one already, and it cannot be read: ${oneLine(reading.why, 300)}. Correct it or move it away.`,
    );
  if (reading?.active === true)
    throw new Fault(
      'LOOP_STATE',
      `Cannot write ${file}: the loop in it is active. ${isOpen ? `End it with "tireless cancel ${known.state.loop}"` : 'Switch it off in the file, or delete the file'}, and start again.`,
    );
  // Deleted or switched off by hand, and no stop has noticed yet: otherwise the new file would pass for an edit of the old loop.
  if (isOpen) await (await world.services.control()).cancel(known.state.loop);
  if (session !== null) refuseHeld(session, await world.services.store());
  const { prepare } = await world.services.dialectExtras(name);
  if (prepare === undefined) ensureDir(path.dirname(live.path));
  else prepare(live.path);
  removeLeftoversOf(live.path);
  const now = await effects.readFile(live.path);
  if (now !== null) writeFileAtomic(`${live.path}.old`, now.text, { durable: true });
  if ((await effects.replaceFile(live.path, now?.hash ?? null, text)) === 'replaced')
    return now === null ? null : `${file}.old`;
  throw new Fault('STATE_CONFLICT', `Someone else is changing ${file}. Start again when it is quiet.`);
}

/** The goal as it was typed, and how the document wants to hear that it is met. */
function promptFor(file: string, goal: string, reading: Reading): string {
  return `${goal.trim()}\n\n${endingFor(file, reading)}`;
}

function endingFor(file: string, { claim, claimedIn, criteria, checks = [] }: Reading): string {
  if (claimedIn !== undefined)
    return `Keep your notes in ${file}, below its front matter. When the whole goal is met, and not before, write the completion marker that its front matter names into them.`;
  const ticks =
    criteria.length === 0 ? '' : `Set a criterion to true in criteriaStatus of ${file} only when it holds. `;
  const moved = checks.flatMap(({ probe }) => (probe.kind === 'file-moved' ? [probe] : []))[0];
  const move = moved === undefined ? '' : `The loop ends when ${moved.path} was moved to ${moved.folder}. `;
  return `${ticks}${move}${saying(claim)}`.trimEnd();
}

function saying(claim: ClaimRule): string {
  return claim.texts.length === 0 ? '' : claimInstruction(claim);
}
