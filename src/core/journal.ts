import { advance, initialState } from './advance.ts';
import type { Decision } from './decision.ts';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import type { Evidence } from './evidence.ts';
import { assert, Fault } from './fault.ts';
import type { Spec, State } from './loop.ts';
import type { PromptMark } from './prompt-mark.ts';
import { parseJson } from './parse-json.ts';

export const JOURNAL_VERSION = 1;

/** One committed step. `prev` is the hash of the entry it follows (`null` for the first), which makes an append a compare-and-swap. */
export type Entry = {
  readonly v: typeof JOURNAL_VERSION;
  readonly revision: number;
  readonly prev: string | null;
  readonly at: string;
  readonly event: Event;
  readonly evidence: Evidence;
  readonly decision: Decision;
  /** With a dialect: its file as read and as it will be written, and the counter it will then show. */
  readonly file?: { readonly read: string | null; readonly written: string | null; readonly counted?: number };
  /** The prompt sent after this step, if there is one: see `isDelivery`. */
  readonly prompt?: PromptMark;
};

/** `asked`: the original spec. `spec`: the one in force, with all edits since. */
export type Loop = { readonly asked: Spec; readonly spec: Spec; readonly state: State };

export function loopOf(asked: Spec, state: State): Loop {
  return { asked, spec: { ...asked, ...state.edits }, state };
}

/** The state is the fold of the journal. Never throws on entries made by `decide`; the store has already verified the chain. */
export function foldEntry(loop: Loop | null, entry: Entry): Loop {
  const { event, evidence, decision, at } = entry;
  if (loop === null) {
    assert(event.kind === 'loop-started', 'a journal begins with loop-started');
    return loopOf(event.spec, initialState(event, evidence, at));
  }
  const state = advance(loop.spec, loop.state, { event, evidence, decision, at });
  return loopOf(loop.asked, withPrompt(withFile(state, entry.file), entry));
}

/** Is a prompt sent after this step? `state`: after it. */
export function isDelivery({ event, decision }: Pick<Entry, 'event' | 'decision'>, { status, phase }: State): boolean {
  return (
    status === 'running' && phase === 'working' && (decision.kind === 'continue' || event.kind === 'iteration-began')
  );
}

/** A file that the agent maintains may contain a copy of an earlier prompt. Most prompts of a document have the same text. */
const PROMPTS_KEPT = 4;

/** An entry from a version that did not record its prompt drops the older ones: they are no longer the latest. */
function withPrompt(state: State, entry: Entry): State {
  const { prompts, ...rest } = state;
  const { prompt } = entry;
  if (prompt === undefined) return prompts === undefined || !isDelivery(entry, state) ? state : rest;
  const others = (prompts ?? []).filter(({ sum }) => sum !== prompt.sum);
  return { ...rest, prompts: [...others, prompt].slice(-PROMPTS_KEPT) };
}

/** This many simultaneous stops may be counted before the first of them has written the file. */
const FILE_HASHES_KEPT = 64;

function withFile(state: State, file: Entry['file']): State {
  if (file === undefined) return state;
  // Bytes that were read and left unchanged cannot be a late write of ours: if they come back, someone put them there.
  const before = state.file === null || state.file.written === state.file.read ? null : state.file.written;
  const older = [...(state.file?.older ?? []), ...(before === null ? [] : [before])].slice(-FILE_HASHES_KEPT);
  return { ...state, file: { ...file, older } };
}

export function foldAll(entries: readonly Entry[]): Loop | null {
  return entries.reduce<Loop | null>(foldEntry, null);
}

export type Difference = { readonly revision: number; readonly recorded: Decision; readonly recomputed: Decision };

/** Makes every decision again from the recorded evidence. A genuine journal of this or an older version shows no difference. */
export function replay(entries: readonly Entry[]): {
  readonly loop: Loop | null;
  readonly differences: readonly Difference[];
} {
  const differences: Difference[] = [];
  let loop: Loop | null = null;
  for (const entry of entries) {
    if (loop !== null) {
      const recomputed = decide(loop.spec, loop.state, entry.event, entry.evidence);
      if (canonical(recomputed) !== canonical(entry.decision))
        differences.push({ revision: entry.revision, recorded: entry.decision, recomputed });
    }
    loop = foldEntry(loop, entry);
  }
  return { loop, differences };
}

/**
 * A line of our own journal. Not JSON = torn, `undefined`. JSON of another version is refused, never guessed.
 * The hash chain protects the contents of an entry; only its outline is checked here.
 */
export function parseEntry(line: string, file: string): Entry | undefined {
  // A torn write: the writer died before anyone learned of the commit.
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || !('v' in value)) return undefined;
  if (value.v !== JOURNAL_VERSION) {
    throw new Fault(
      'JOURNAL_VERSION_UNKNOWN',
      `The journal ${file} has an entry of version ${String(value.v)}, and this tireless reads version ${JOURNAL_VERSION}. Update tireless, or use the version that wrote it.`,
    );
  }
  return isEntry(value) ? value : undefined;
}

function isEntry(value: object): value is Entry {
  if (
    !(
      'revision' in value &&
      'prev' in value &&
      'at' in value &&
      'event' in value &&
      'evidence' in value &&
      'decision' in value
    )
  )
    return false;
  const { revision, prev, at, event, evidence, decision } = value;
  return (
    typeof revision === 'number' &&
    (prev === null || typeof prev === 'string') &&
    typeof at === 'string' &&
    hasKind(event) &&
    hasKind(decision) &&
    typeof evidence === 'object' &&
    evidence !== null
  );
}

function hasKind(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

/** Ignores key order, so a journal rewritten by another JSON writer replays the same. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
