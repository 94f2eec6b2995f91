import { NATIVE_CLAIM } from '../../core/claim.ts';
import type { FileReading } from '../../core/foreign-file.ts';
import type { Loop } from '../../core/journal.ts';
import { DEFAULT_LIMITS, isEnded } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import type { Counting } from '../counting.ts';
import { countedFrom, counterFor, turnsAllowed } from '../counting.ts';
import type { Answer, Dialect, Words } from '../dialect.ts';
import { isPlain, readFrontMatter, setFields } from '../front-matter.ts';

export const RALPH_LOOP_FILE = '.claude/ralph-loop.local.md';

/** `iteration` is the one at work, and a stop at the maximum ends the loop: a maximum of M allows M turns. */
const COUNTING: Counting = { start: 1, addsFirst: false };

/**
 * The state file of Claude Code's official `ralph-loop` plugin. Its own script reads it by `sed`; here it is YAML, `active` counts, a
 * maximum of 0 ("unlimited") is our default maximum, and only a tag that has its line to itself is a claim.
 */
export const ralphLoop: Dialect = {
  name: 'ralph-loop',
  read,
  withSession: (text, session) => setFields(text, { session_id: session }),
  project: (text, loop) => {
    if (text === null) return null;
    const found = read(text);
    // What is broken or switched off by hand is the user's to keep.
    if (found.kind === 'invalid' || !found.active) return text;
    if (isEnded(loop.state)) return null;
    if (loop.state.counted <= found.counted) return text;
    return setFields(text, {
      iteration: counterFor(loop.state.counted, COUNTING),
      ...claiming(text, found.session, loop),
    });
  },
  filesFor: () => [RALPH_LOOP_FILE],
  wordsFor,
  replyForm: 'json',
};

/** The plugin writes the session of the first stop into an empty field, so that its script answers no other. */
function claiming(text: string, named: string | null, { state }: Loop): { readonly session_id?: string } {
  const { session } = state;
  const isEmpty = named === null && Object.hasOwn(readFrontMatter(text)?.fields ?? {}, 'session_id');
  return isEmpty && session !== null ? { session_id: session.id } : {};
}

/** A file for a loop that has none yet: what the plugin's own command would write. */
export function newRalphLoopFile({ spec, state }: Loop): string {
  const { iterationsMax } = state.limits;
  const claim = spec.claim.texts[0];
  return [
    '---',
    'active: true',
    `iteration: ${counterFor(state.counted, COUNTING)}`,
    `session_id: ${sessionText(state.session)}`,
    `max_iterations: ${iterationsMax === 'unlimited' ? 0 : iterationsMax}`,
    `completion_promise: ${claim === undefined ? 'null' : JSON.stringify(claim)}`,
    `started_at: ${JSON.stringify(state.startedAt)}`,
    '---',
    '',
    spec.goal,
    '',
  ].join('\n');
}

/** The script of the plugin knows no quotes here, and only sessions of Claude Code. Empty = the first one that stops. */
function sessionText(session: Loop['state']['session']): string {
  if (session?.host !== 'claude-code') return '';
  return isPlain(session.id) ? session.id : JSON.stringify(session.id);
}

function read(text: string): FileReading {
  const file = readFrontMatter(text);
  if (file === undefined) return invalid('there is no YAML between two lines of "---" at its beginning');
  const { fields, body } = file;
  const iteration = numberIn(fields['iteration']);
  if (iteration === undefined) return invalid("'iteration' is not a number");
  const maximum = numberIn(fields['max_iterations'] ?? 0);
  if (maximum === undefined) return invalid("'max_iterations' is not a number");
  const goal = body.trim();
  if (goal === '') return invalid('there is no prompt below the second "---"');
  const claim = textIn(fields['completion_promise']);
  return {
    kind: 'loop',
    active: (fields['active'] ?? true) === true,
    session: textIn(fields['session_id']),
    goal,
    claim: { ...NATIVE_CLAIM, texts: claim === null ? [] : [claim] },
    criteria: [],
    counted: countedFrom(iteration, COUNTING),
    iterationsMax: maximum === 0 ? DEFAULT_LIMITS.iterationsMax : turnsAllowed(maximum, COUNTING),
    continuation: '{{GOAL}}',
  };
}

function invalid(why: string): FileReading {
  return { kind: 'invalid', why };
}

/** Also digits in quotes: what looks like a number to a reader is one. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The plugin writes `null` for none, and its shell cannot tell that from the word. */
function textIn(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text === 'null' ? null : text;
}

function wordsFor({ decision, loop, reading }: Answer): Words {
  if (decision.kind === 'continue' && loop !== null) {
    const { claim } = loop.spec;
    const notice = `🔄 Ralph iteration ${loop.state.counted + 1} | ${ending(claim.texts[0], loop)}`;
    return { goesOn: true, text: promptOf(loop.spec, loop.state), reason: notice, notice };
  }
  const notice = endNotice({ decision, loop, reading });
  return { goesOn: false, text: '', reason: notice ?? '', ...(notice === undefined ? {} : { notice }) };
}

function ending(claim: string | undefined, { state }: Loop): string {
  return claim === undefined
    ? `No completion promise set - the loop ends at iteration ${state.limits.iterationsMax}`
    : `To stop: output <promise>${claim}</promise> (ONLY when statement is TRUE - do not lie to exit!)`;
}

/** `undefined` = nothing a user has to know: it is not their loop, or there is none. */
function endNotice({ decision, loop, reading }: Answer): string | undefined {
  switch (decision.kind) {
    case 'complete':
      return `✅ Ralph loop: Detected <promise>${loop?.state.claimed ?? ''}</promise>`;
    case 'halt':
      return decision.guard === 'iterations-max'
        ? `🛑 Ralph loop: Max iterations (${decision.limit}) reached.`
        : `🛑 Ralph loop: stopped (${decision.guard}).`;
    case 'pause':
      return `⏸️ Ralph loop: waits for you${decision.question === undefined ? '' : `: ${decision.question}`}`;
    case 'cancel':
      return '🛑 Ralph loop: cancelled.';
    case 'continue':
    case 'record':
    case 'refuse':
      return undefined;
    case 'abstain':
      return reading?.kind === 'invalid'
        ? `⚠️ Ralph loop: the state file ${RALPH_LOOP_FILE} cannot be read: ${reading.why}. Correct it or delete it; until then the agent may stop.`
        : undefined;
  }
}
