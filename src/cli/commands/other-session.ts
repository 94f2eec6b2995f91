import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { SessionRef } from '../../core/loop.ts';
import { runAsync } from '../../engine/pipeline.ts';
import type { Handled, Loaded, Store } from '../../engine/ports.ts';
import { moveToSession } from '../../engine/take-over.ts';
import { isDialectName } from '../../dialects/names.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import type { HostId } from '../../hosts/host.ts';
import { oneLine } from '../../views/printable.ts';
import type { Flag, Values } from '../flags.ts';
import { text, value } from '../flags.ts';
import { heldBy } from '../held-by.ts';
import type { World } from '../services.ts';

type SessionFlags = { readonly session: Flag<string | undefined>; readonly host: Flag<HostId | undefined> };

export const SESSION_FLAGS: SessionFlags = {
  session: text('ID', 'go on in the session of this id, instead of its own'),
  host: value('NAME', 'the agent that session belongs to (default: claude-code)', hostNamed),
};

function hostNamed(given: string, name: string): HostId {
  const host = HOST_IDS.find((id) => id === given);
  if (host !== undefined) return host;
  throw new Fault('USAGE', `Cannot use "${oneLine(given, 60)}" for ${name}: it takes one of ${HOST_IDS.join(', ')}.`);
}

/** `null` = the loop stays where it is. */
export function sessionFrom({ session, host }: Values<SessionFlags>): SessionRef | null {
  if (session === undefined) {
    if (host === undefined) return null;
    throw new Fault('USAGE', 'Cannot use --host alone: it says whose session --session names. Give --session ID too.');
  }
  const id = session.trim();
  if (id === '') throw new Fault('USAGE', 'Cannot use an empty --session: a session id is what its agent calls it.');
  return { host: host ?? 'claude-code', id };
}

/** Before anything is changed. */
export function refuseOther({ spec, state }: Loaded, target: SessionRef, store: Store): void {
  if (spec.driver !== 'session')
    throw new Fault(
      'USAGE',
      `Cannot take loop ${state.loop} into a session: tireless itself starts its agents. Leave out --session.`,
    );
  const other = heldBy(target, store);
  if (other !== undefined && other !== state.loop)
    throw new Fault(
      'LOOP_STATE',
      `Cannot go on with loop ${state.loop} in the session ${oneLine(target.id, 60)}: loop ${other} lives there. Cancel that one with "tireless cancel ${other}", or take another session.`,
    );
}

/** The hook of that session finds the loop from now on, and a foreign file that names its session names this one. */
export async function moveTo(loaded: Loaded, target: SessionRef, { services }: World): Promise<Handled> {
  const { spec, state } = loaded;
  const live =
    spec.dialect === undefined || !isDialectName(spec.dialect.name)
      ? undefined
      : { dialect: await services.dialect(spec.dialect.name), path: path.join(state.cwd, spec.dialect.file) };
  const { effects } = await services.session();
  return runAsync(moveToSession(loaded, target, live), effects);
}

export function movedText({ state: { loop } }: Loaded, { id }: SessionRef): string {
  const session = oneLine(id, 60);
  return `loop ${loop} goes on in the session ${session}: the next stop of session ${session} is judged; say something in that session`;
}

/** Not every host tells that a session is over or at its usage limit: whoever sees that it will not go on is told the way out. */
export function goesOnText({ state: { loop, session } }: Loaded): string {
  const agent = HOST_IDS.find((id) => id === session?.host) ?? 'NAME';
  return `loop ${loop} goes on in its session: the next time the agent stops there, it is looked at (in another session: tireless resume ${loop} --session ID; out of the session, a fresh agent for each iteration: tireless resume ${loop} --agent ${agent})`;
}
