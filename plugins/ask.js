// @ts-check
/**
 * Shared by our plugins: is a loop armed for a session, and how does tireless reply to an event of it? It runs inside the host, so it
 * imports nothing but Node, starts a process only while a loop is armed, and never throws: if it gets no reply, the agent may stop and the
 * user is notified.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {{ readonly node: string, readonly script: string, readonly home: string }} Place Where the program is, absolute.
 * @typedef {Readonly<Record<string, unknown>>} Payload
 * @typedef {{ readonly kind: 'silent' | 'go-on' | 'context' | 'refuse', readonly text: string, readonly notice: string | null }} Answer
 *   `text`: the prompt, the context or the reason.
 */

/** Checks run in a stop; those that take longer continue outside it. A little more than that time, so that the hook itself replies first. */
const ASK_MS_MAX = 620_000;
const OUTPUT_CHARS_MAX = 4 * 1024 * 1024;
const TROUBLE_CHARS_MAX = 300;
/** Certificates and options that the user set for other programs would cost the hook more than all its work. */
const OWN_ENV = { NODE_EXTRA_CA_CERTS: '', NODE_OPTIONS: '' };
/**
 * Longer session names are replaced by a hash, and names that Windows reserves are escaped: for these any armed loop wakes us, and the hook
 * checks precisely.
 */
const NAME_CHARS_MAX = 100;
const RESERVED = /^(?:con|prn|aux|nul|clock|conin|conout|com\d|lpt\d)$/u;

/** The commands that a user can type: the names that `tireless install` makes known. */
export const COMMANDS = /** @type {const} */ ({
  ralph: 'Keep going until the work is proven done (tireless)',
  'cancel-ralph': 'End the loop of this session (tireless)',
  'ralph-status': 'Show the loop of this session (tireless)',
  'ralph-approve': 'Approve what the loop of this session waits for (tireless)',
  'ralph-reject': 'Reject it and say what is missing (tireless)',
  'ralph-help': 'How to use /ralph (tireless)',
});

/** @param {string} text */
export function isCommand(text) {
  const [, name = ''] = /^\s*\/(?:tireless-)?([a-z-]+)(?:\s|$)/u.exec(text) ?? [];
  return Object.hasOwn(COMMANDS, name);
}

/**
 * @param {string} host
 * @param {Place} place
 */
export function connect(host, place) {
  const armed = path.join(place.home, 'armed', host);
  const timed = path.join(place.home, 'timed', host);
  return {
    isAnyArmed: () => hasAny(armed),
    /** @param {string} session */
    isArmed: (session) => hasMark(armed, session),
    /**
     * Does tireless have to see this tool call? Only if its loop has an iteration timeout, or the call names tireless or its home.
     *
     * @param {string} session
     * @param {unknown} input
     */
    isToolAsked: (session, input) =>
      hasMark(timed, session) || (hasMark(armed, session) && holdsWord(input, place.home)),
    /** @param {Payload} payload */
    ask: (payload) => ask(host, place, payload),
    /**
     * A turn failed. `heard` gets the reply at once; the result arrives when the turn is to be retried: the prompt that wakes the agent, or
     * `null` = leave it alone.
     *
     * @param {Payload} payload
     * @param {(answer: Answer) => void} heard
     */
    wake: (payload, heard) => wake(host, place, payload, heard),
  };
}

/** Like `toolWords` in src/hosts/guard.ts. @param {unknown} input @param {string} home */
function holdsWord(input, home) {
  const text = JSON.stringify(input) ?? '';
  return ['tireless', 'TIRELESS', home.split('/').slice(-2).join('/')].some(
    (word) => word !== '' && text.includes(word),
  );
}

/** @param {string} folder */
function hasAny(folder) {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // No folder, no loop; a folder that cannot be read is not ours.
  }
}

/** @param {string} folder @param {string} session */
function hasMark(folder, session) {
  const name = fileNameOf(session);
  const isPlain = name.length <= NAME_CHARS_MAX && !RESERVED.test(name);
  return isPlain ? existsSync(path.join(folder, name)) : hasAny(folder);
}

/** Like `pathPart` in src/system/ids.ts, which names the store's files. @param {string} session */
function fileNameOf(session) {
  return session.replaceAll(/^-|[^a-z0-9_-]/gu, (sign) =>
    Array.from({ length: sign.length }, (_, at) => escaped(sign.charCodeAt(at))).join(''),
  );
}

/** @param {number} unit */
function escaped(unit) {
  return unit < 0x1_00 ? `=${unit.toString(16).padStart(2, '0')}` : `=u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * @param {string} host
 * @param {Place} place
 * @param {Payload} payload
 * @returns {Promise<Answer>}
 */
async function ask(host, place, payload) {
  const { node, script, home } = place;
  const { stdout, trouble } = await run(node, [script, host, home], JSON.stringify(payload));
  const answer = trouble === '' ? answerIn(stdout) : undefined;
  return (
    answer ?? {
      kind: 'silent',
      text: '',
      notice: troubleText(host, place, trouble === '' ? `it said: ${stdout}` : trouble),
    }
  );
}

/** Like `WAKE_WORD` in src/hosts/guard.ts: after its reply the hook waits, and wakes the agent by its exit code. */
const WAKE_WORD = '--wake';
const WAKE_CODE = 2;

/**
 * @param {string} host
 * @param {Place} place
 * @param {Payload} payload
 * @param {(answer: Answer) => void} heard
 * @returns {Promise<string | null>}
 */
function wake(host, place, payload, heard) {
  const { node, script, home } = place;
  return new Promise((resolve) => {
    const env = { ...process.env, ...OWN_ENV, TIRELESS_CLIENT: String(process.pid) };
    const args = [script, host, home, WAKE_WORD];
    const child = spawn(node, args, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let [stdout, stderr, isHeard] = ['', '', false];
    /** @param {string} trouble */
    const hear = (trouble) => {
      const answer = answerIn(stdout);
      if (isHeard || (answer === undefined && trouble === '')) return;
      isHeard = true;
      heard(answer ?? { kind: 'silent', text: '', notice: troubleText(host, place, trouble) });
    };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout = `${stdout}${chunk}`.slice(0, OUTPUT_CHARS_MAX);
      hear('');
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr = `${stderr}${chunk}`.slice(0, OUTPUT_CHARS_MAX)));
    child.on('error', (error) => (hear(String(error)), resolve(null)));
    child.on('close', (code) => {
      hear(stderr || `it ended with ${code}`);
      resolve(code === WAKE_CODE && stderr.trim() !== '' ? stderr.trim() : null);
    });
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(JSON.stringify(payload));
    // Nobody waits for it when the host exits, and it ends with the host.
    child.unref();
  });
}

/**
 * @param {string} host
 * @param {Place} place
 * @param {string} trouble
 */
function troubleText(host, { node, script }, trouble) {
  if (!existsSync(node) || !existsSync(script))
    return `tireless: its program or its Node has moved, so no loop continues. Run "tireless install ${host}" again.`;
  const line = trouble.trim().replaceAll(/\s+/gu, ' ').slice(0, TROUBLE_CHARS_MAX);
  return `tireless: the loop could not be asked (${line}), so the agent may stop. "tireless doctor" finds out why.`;
}

/**
 * @param {string} stdout
 * @returns {Answer | undefined}
 */
function answerIn(stdout) {
  try {
    const { kind, prompt, text, reason, notice } = JSON.parse(stdout);
    if (!['silent', 'go-on', 'context', 'refuse'].includes(kind)) return undefined;
    return {
      kind,
      text: String(prompt ?? text ?? reason ?? ''),
      notice: typeof notice === 'string' ? notice : null,
    };
  } catch {
    return undefined; // Not JSON: the caller reports what it was.
  }
}

/**
 * @param {string} node
 * @param {readonly string[]} args
 * @param {string} input
 * @returns {Promise<{ readonly stdout: string, readonly trouble: string }>}
 */
function run(node, args, input) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...OWN_ENV };
    const child = spawn(node, args, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let [stdout, stderr] = ['', ''];
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish('it took too long');
    }, ASK_MS_MAX);
    timer.unref?.();
    /** @param {string} trouble */
    const finish = (trouble) => {
      clearTimeout(timer);
      resolve({ stdout, trouble });
    };
    child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout = `${stdout}${chunk}`.slice(0, OUTPUT_CHARS_MAX)));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr = `${stderr}${chunk}`.slice(0, OUTPUT_CHARS_MAX)));
    child.on('error', (error) => finish(String(error)));
    child.on('close', (code) => finish(code === 0 ? '' : stderr || `it ended with ${code}`));
    // A process that exits before it has read everything shows the reason by its exit code.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
  });
}
