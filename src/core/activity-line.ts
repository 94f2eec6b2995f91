import { parseJson } from './parse-json.ts';
import type { CheckAnswer } from './evidence.ts';

/** A line of the activity log, as JSON: output of the agent and the checks, kept for people to read later. Never part of a decision. */
export type ActivityLine = {
  readonly at: string;
  /** 0 = before the first iteration. */
  readonly iteration: number;
  /** `dropped`: the oldest part of the log was removed here, to keep it bounded. */
  readonly kind: 'message' | 'diagnostics' | 'tool' | 'note' | 'check' | 'dropped';
  readonly text: string;
  /** For a check: its name, its result, and whether it ran in the clean room. */
  readonly check?: string;
  readonly result?: CheckAnswer;
  readonly where?: 'room';
};

const KINDS: ReadonlySet<string> = new Set(['message', 'diagnostics', 'tool', 'note', 'check', 'dropped']);
const RESULTS: ReadonlySet<string> = new Set(['passed', 'failed', 'unknown']);

/** `null` = not a line of ours: it is damaged, or a later version wrote it. */
export function parseActivityLine(text: string): ActivityLine | null {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [at, iteration, kind, said] = ['at', 'iteration', 'kind', 'text'].map((name) => fields.get(name));
  if (typeof at !== 'string' || typeof iteration !== 'number' || typeof said !== 'string' || !isKind(kind)) return null;
  const [check, result] = [fields.get('check'), fields.get('result')];
  return {
    at,
    iteration,
    kind,
    text: said,
    ...(typeof check === 'string' ? { check } : {}),
    ...(isResult(result) ? { result } : {}),
    ...(fields.get('where') === 'room' ? { where: 'room' as const } : {}),
  };
}

function isKind(value: unknown): value is ActivityLine['kind'] {
  return typeof value === 'string' && KINDS.has(value);
}

function isResult(value: unknown): value is CheckAnswer {
  return typeof value === 'string' && RESULTS.has(value);
}
