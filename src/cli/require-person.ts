import { Fault, isFault } from '../core/fault.ts';
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

/** Refuses the agent of a loop, and records the attempt in the loop's journal. Throws `AGENT_REFUSED`. */
export async function requirePerson(command: string, { services }: World): Promise<void> {
  const caller = await services.agentCaller();
  if (caller === null) return;
  const { loop, mark, isSession } = caller;
  try {
    await (await services.control()).post(loop, { kind: 'attempt-refused', command });
  } catch (error) {
    // The agent is refused even if the attempt cannot be recorded.
    if (!isFault(error)) throw error;
  }
  const typed = isSession ? TYPED_INSTEAD[command] : undefined;
  const inSession = typed === undefined ? '' : `, or type ${typed} in the session`;
  const shell = isSession ? ' A shell command of the session itself ("!") counts as the agent\'s.' : '';
  throw new Fault(
    'AGENT_REFUSED',
    `Only a person outside the agent may run "tireless ${command}", and this call comes from the agent of loop ${loop} (${mark}). A person can run it in their own terminal${inSession}.${shell} The attempt is recorded in the loop's journal.`,
  );
}
