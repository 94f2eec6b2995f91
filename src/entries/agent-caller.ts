import type { AgentCaller, SessionVariable } from '../engine/agent-caller.ts';
import { findAgentCaller, markNames } from '../engine/agent-caller.ts';
import type { Store } from '../engine/ports.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { ancestorVariables } from '../system/ancestors.ts';

export const SESSION_VARIABLES: readonly SessionVariable[] = Object.values(HOSTS).flatMap(({ id, capabilities }) =>
  (capabilities.agentVariables ?? []).map((variable) => ({ host: id, variable })),
);

/** Is there any mark of an agent at all? Usually not, and then no store is opened to find out whose it is. */
export function isMarked(): boolean {
  const names = markNames(SESSION_VARIABLES);
  return processesHere().some((variables) => names.some((name) => (variables[name] ?? '') !== ''));
}

/** The agent that runs this process; `null` = a person does. */
export function agentCallerHere(store: Store): AgentCaller | null {
  return findAgentCaller(processesHere(), SESSION_VARIABLES, store);
}

function processesHere(): readonly Readonly<Record<string, string | undefined>>[] {
  return [process.env, ...ancestorVariables(markNames(SESSION_VARIABLES))];
}
