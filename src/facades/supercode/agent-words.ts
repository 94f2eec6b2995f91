/** Hosts use different names for agents. */
const AGENT_ROLES: ReadonlySet<unknown> = new Set(['assistant', 'agent', 'ai', 'bot', 'model']);
/** Values of `type` that name the speaker. Any other `type` names the kind of a part. */
const SPEAKER_TYPES: ReadonlySet<unknown> = new Set([...AGENT_ROLES, 'developer', 'human', 'system', 'tool', 'user']);
/** Actions and thoughts of an agent, as opposed to its words. */
const UNSPOKEN_TYPES = /tool|function|thinking|reasoning/u;
const UNSPOKEN_KEYS: ReadonlySet<string> = new Set([
  'function_call',
  'reasoning',
  'reasoning_content',
  'thinking',
  'tool_calls',
  'toolCalls',
  'toolInvocations',
  'toolUseResult',
]);

/** Every text in a foreign value that only the agent can have said; words of the user, of tools, and thoughts are left out. */
export function agentWords(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(agentWords);
  if (typeof value !== 'object' || value === null) return [];
  const speaker = speakerOf(value);
  if (speaker !== undefined && !AGENT_ROLES.has(speaker)) return [];
  const type = member(value, 'type');
  if (typeof type === 'string' && UNSPOKEN_TYPES.test(type)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (UNSPOKEN_KEYS.has(key) ? [] : agentWords(inner)));
}

/** A message of the agent. If a message names no speaker, it does not count. */
export function isAgentMessage(message: unknown): boolean {
  return AGENT_ROLES.has(speakerOf(message));
}

export function isUserMessage(message: unknown): boolean {
  return speakerOf(message) === 'user';
}

/** The words of one message, in `content` or in `parts`; its ids and times are not included. */
export function wordsIn(message: unknown): string {
  return ['content', 'parts', 'text'].flatMap((key) => agentWords(member(message, key))).join('\n');
}

/** `undefined` = it names none. */
function speakerOf(value: unknown): unknown {
  const inner = ['message', 'info', 'author'].map((key) => member(member(value, key), 'role'));
  const role = [member(value, 'role'), ...inner].find((each) => typeof each === 'string');
  const type = member(value, 'type');
  return role ?? (SPEAKER_TYPES.has(type) ? type : undefined);
}

/** A property of a foreign value, own or inherited (errors inherit their names from their class); `undefined` if it has none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
