import type { AgentPlace } from '../core/caller-place.ts';
import { Fault, isFault } from '../core/fault.ts';
import type { AgentCaller } from '../engine/agent-caller.ts';
import type { World } from './services.ts';

/** What a user types in the agent's session instead. */
const TYPED_INSTEAD: Readonly<Partial<Record<string, string>>> = {
  start: '/ralph "goal"',
  resume: '/ralph --resume LOOP',
  cancel: '/cancel-ralph',
  approve: '/ralph-approve',
  reject: '/ralph-reject TEXT',
  steer: 'the message itself',
};

const PLACES: Readonly<Record<AgentPlace, string>> = {
  namespace: 'this call comes from a process namespace that was created while it was running, as those of agents are',
  descendant: 'this call comes from a process that it started',
  orphan: 'this call comes from a process that has neither a terminal nor a parent',
};

const PERSONS_PLACE: Readonly<Record<AgentPlace, string>> = {
  namespace: 'not in a container or sandbox that began after the loop did',
  descendant: 'not from a process that the loop started',
  orphan: 'or from a script that a terminal, cron or a service runs, but not from a detached one (setsid, nohup)',
};

/** Refuses the agent of a loop, and records the attempt in the loop's journal. Throws `AGENT_REFUSED`. */
export async function requirePerson(command: string, { services }: World): Promise<void> {
  const caller = (await services.agentCaller()) ?? (await services.placedCaller());
  if (caller === null) return;
  const { loop } = caller;
  try {
    await (await services.control()).post(loop, { kind: 'attempt-refused', command });
  } catch (error) {
    // The agent is refused even if the attempt cannot be recorded.
    if (!isFault(error)) throw error;
  }
  throw new Fault('AGENT_REFUSED', refusal(command, caller));
}

function refusal(command: string, { loop, mark, isSession, place }: AgentCaller): string {
  const typed = isSession ? TYPED_INSTEAD[command] : undefined;
  const inSession = typed === undefined ? '' : `, or type ${typed} in the session`;
  const recorded = "The attempt is recorded in the loop's journal.";
  if (place !== undefined)
    return `Only a person may run "tireless ${command}" while loop ${loop} runs, and ${PLACES[place]}. A person can run it in their own terminal${inSession}, ${PERSONS_PLACE[place]}. ${recorded}`;
  const shell = isSession ? ' A shell command of the session itself ("!") counts as the agent\'s.' : '';
  return `Only a person outside the agent may run "tireless ${command}", and this call comes from the agent of loop ${loop} (${mark}). A person can run it in their own terminal${inSession}.${shell} ${recorded}`;
}
