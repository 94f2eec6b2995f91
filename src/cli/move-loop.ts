import { Fault } from '../core/fault.ts';
import type { Limits, SessionRef } from '../core/loop.ts';
import { isAgentIdle } from '../core/session-activity.ts';
import type { ContinueOptions } from '../engine/continue-loop.ts';
import { placeInSession } from '../engine/continue-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { Loaded } from '../engine/ports.ts';
import type { Takeover } from '../engine/takeover-signs.ts';
import { workBefore } from '../engine/takeover-signs.ts';
import { writeSessionInFile } from '../engine/take-over.ts';
import { whyNotResumed } from '../engine/why-not-resumed.ts';
import { DEFAULT_HOST, HOST_IDS, hostNamed } from '../hosts/ids.ts';
import type { HostId } from '../hosts/ids.ts';
import type { WaitingFile } from '../setup/waiting-files.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';
import { willBeBroughtBack } from './bring-back.ts';
import type { Flag, Values } from './flags.ts';
import { text, toggle, value } from './flags.ts';
import type { World } from './services.ts';

type SessionFlags = { readonly session: Flag<string | undefined>; readonly host: Flag<HostId | undefined> };

/** For taking a loop from a session whose agent is at work. */
export const FORCE_FLAG: { readonly force: Flag<boolean> } = {
  force: toggle('take it even from a session whose agent is working'),
};

export const SESSION_FLAGS: SessionFlags = {
  session: text('ID', 'continue in the session with this id instead of its own'),
  host: { ...value('NAME', 'the agent of that session (default: claude-code)', parseHost), choices: HOST_IDS },
};

function parseHost(given: string, name: string): HostId {
  const host = hostNamed(given);
  if (host !== undefined) return host;
  throw new Fault(
    'USAGE',
    `Cannot use "${oneLine(given, 60)}" for ${name}: it takes one of ${HOST_IDS.join(', ')}.${didYouMean(given, HOST_IDS)}`,
  );
}

/** `null` = the loop stays where it is. */
export function sessionFromFlags({ session, host }: Values<SessionFlags>): SessionRef | null {
  if (session === undefined) {
    if (host === undefined) return null;
    throw new Fault('USAGE', 'Cannot use --host alone: it names the agent of --session. Give --session ID too.');
  }
  const id = session.trim();
  if (id === '') throw new Fault('USAGE', 'Cannot use an empty --session: give the id that the agent shows for it.');
  return { host: host ?? DEFAULT_HOST, id };
}

type Refusal = NonNullable<ContinueOptions['refusal']>;

/** Throws if the loop cannot continue within these limits. Call it before anything changes. */
export async function requireResumable(
  loaded: Loaded,
  limits: Partial<Limits>,
  { takeover, refusal }: { readonly takeover: Takeover; readonly refusal: Refusal },
  { services }: World,
): Promise<void> {
  const live = await services.liveFile(loaded.spec, loaded.state.cwd);
  const { effects } = await services.session();
  const because = await runAsync(whyNotResumed(loaded, limits, live, workBefore(takeover)), effects);
  if (because !== null) throw refusal(loaded, because);
}

/** From now on the hook of that session finds the loop, and a foreign file that names a session names this one. Call it before the resume. */
export async function placeLoop(
  found: Loaded,
  target: SessionRef,
  { placing, refusal }: { readonly placing: Omit<ContinueOptions, 'refusal'>; readonly refusal: Refusal },
  { services }: World,
): Promise<Loaded> {
  const live = await services.liveFile(found.spec, found.state.cwd);
  const { effects } = await services.session();
  const { decision, loaded = found } = await runAsync(placeInSession(found, target, live, placing), effects);
  if (decision.kind === 'record') return loaded;
  throw refusal(loaded, decision.kind === 'abstain' ? decision.because : 'ended');
}

/** A file whose loop has not begun names this session from now on. Throws `LOOP_STATE`. */
export async function moveWaitingFile(found: WaitingFile, target: SessionRef, { services }: World): Promise<string> {
  const { place, reading } = found;
  const file = oneLine(place.file, 200);
  const session = oneLine(target.id, 60);
  const { effects } = await services.session();
  if (reading.session !== null && !(await runAsync(writeSessionInFile(place.live, target), effects)))
    throw new Fault(
      'LOOP_STATE',
      `Cannot move ${file} to session ${session}: another process is changing it. Try again.`,
    );
  return `the loop in ${file} begins at the next stop of session ${session}; write something in that session`;
}

export function movedLine({ state: { loop } }: Loaded, { id }: SessionRef): string {
  const session = oneLine(id, 60);
  return `loop ${loop} continues in session ${session}: its next stop is judged; write something in that session`;
}

/**
 * Not every host reports that a session has ended or reached its usage limit, so the user is shown how to continue elsewhere. `found`:
 * before it was resumed. `waits`: nothing happens until the user writes to the agent.
 */
export async function continuesLine(
  found: Loaded,
  loaded: Loaded,
  world: World,
): Promise<{ readonly sentence: string; readonly waits: boolean }> {
  const { loop, session } = loaded.state;
  if (await willBeBroughtBack(loaded, world))
    return { sentence: `loop ${loop} continues in its session by itself`, waits: false };
  const agent = hostNamed(session?.host) ?? 'NAME';
  const ways = `To continue elsewhere: tireless resume ${loop} --session ID (another session), or tireless resume ${loop} --agent ${agent} (a fresh agent for each iteration)`;
  const waits = loaded.spec.dialect === undefined && isAgentIdle(found.state);
  const where = session === null ? 'its session' : `its session (${oneLine(`${session.host} ${session.id}`, 100)})`;
  return waits
    ? {
        sentence: `resumed loop ${loop}; its agent is idle: write to it in ${where}${withMessages(loaded)}. ${ways}`,
        waits,
      }
    : { sentence: `${judgedNext(loaded)}${withMessages(loaded)}. ${ways}`, waits };
}

/** What the user said with "tireless steer" waits for the next prompt. */
function withMessages({ spec, state }: Loaded): string {
  if (spec.dialect !== undefined || state.steering.length === 0) return '';
  return '; what you said with "tireless steer" is added to your next message there';
}

function judgedNext({ state: { loop, watcher } }: Loaded): string {
  const lost =
    watcher === undefined ? '' : '; the process that should have resumed the agent is dead, so write to it there';
  return `loop ${loop} continues in its session: the next stop of the agent there is judged${lost}`;
}
