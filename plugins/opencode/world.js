// @ts-check
/**
 * What we use of the API of OpenCode; the types of its package are not ours to ship.
 *
 * @typedef {{
 *   id: string, type: string, messageID: string, sessionID: string,
 *   text?: string, synthetic?: boolean, ignored?: boolean,
 * }} Part
 * @typedef {{ input: number, output: number, reasoning: number, cache: { read: number, write: number } }} Tokens
 * @typedef {{
 *   id: string, role: string, sessionID: string, agent?: string, model?: object, finish?: string, summary?: unknown,
 *   error?: Failure, cost?: number, tokens?: Tokens,
 * }} Info
 * @typedef {{ name: string, data?: { message?: string, statusCode?: number } }} Failure
 * @typedef {{ info: Info, parts: Part[] }} Message
 * @typedef {{ data?: any, error?: unknown }} Result
 * @typedef {(request: object) => Promise<Result>} Call
 * @typedef {Record<'delete' | 'patch', Call>} Raw
 * @typedef {{
 *   session: Record<'prompt' | 'promptAsync' | 'abort' | 'message' | 'messages', Call>,
 *   tui: { showToast: Call },
 *   _client: Raw,
 * }} Client
 */

/**
 * Our state of a session while the program runs.
 *
 * @typedef {{
 *   isKnown: boolean, isNew: boolean, isChild: boolean, parent: string | undefined,
 *   asking: Map<string, number>, waitedMs: number,
 *   sentBack: boolean,
 *   held: Part | null,
 *   expected: string,
 *   isCompacting: boolean, isEnding: boolean, isOvertaken: boolean, hasFailed: boolean,
 *   reported: string, settled: string,
 *   agent: string | undefined, model: object | undefined,
 * }} Session `isNew`: created while we were running; `isChild`: by an agent of `parent`. `asking`: since when each dialog is open;
 *   `waitedMs`: how long the others were open since the last stop. `held`: the message that keeps a turn open. `expected`: a prompt
 *   of ours on its way. `isEnding`: we are ending the turn; `isOvertaken`: and the user has started another one since.
 *   `reported`: up to here its usage was reported. `settled`: the answer after which nothing is left to do.
 */

/**
 * @typedef {{
 *   client: Client,
 *   raw: Raw,
 *   link: ReturnType<typeof import('../ask.js').connect>,
 *   sessionOf: (id: string) => Session,
 *   ask: (id: string, event: string, more: object) => Promise<import('../ask.js').Answer>,
 *   wake: (id: string, event: string, more: object) => Promise<string | null>,
 * }} World
 */

const NOTICE_MS = 15_000;

/** @returns {Session} */
export function newSession() {
  return {
    isKnown: false,
    isNew: false,
    isChild: false,
    parent: undefined,
    asking: new Map(),
    waitedMs: 0,
    sentBack: false,
    held: null,
    expected: '',
    isCompacting: false,
    isEnding: false,
    isOvertaken: false,
    hasFailed: false,
    reported: '',
    settled: '',
    agent: undefined,
    model: undefined,
  };
}

/** `opencode run` shows the agent's text, and nothing else of a conversation. */
export function hasNoScreen() {
  return process.argv.includes('run');
}

/**
 * On the screen, or on stderr if there is none.
 *
 * @param {Client} client
 * @param {string} message
 */
export async function tell(client, message) {
  if (hasNoScreen()) process.stderr.write(`${message}\n`);
  else await client.tui.showToast({ body: { title: 'tireless', message, variant: 'info', duration: NOTICE_MS } });
}

/**
 * The end of a conversation, oldest first.
 *
 * @param {Client} client
 * @param {string} id
 * @returns {Promise<readonly Message[]>}
 */
export async function lastMessages(client, id) {
  const { data } = await client.session.messages({ path: { id }, query: { limit: 4 } });
  return Array.isArray(data) ? data : [];
}

/** @param {readonly Part[]} parts */
export function textOf(parts) {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n');
}
