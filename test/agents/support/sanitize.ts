import { hostname, release } from 'node:os';
import path from 'node:path';
import type { Place } from './launch/launcher.ts';

type Json = Record<string, unknown>;

/** Replaces this machine by Ada's, and uses the same ids, times and counts in every recording. */
export type Sanitizer = (payload: unknown) => unknown;

const UUIDS = ['e4021c7a-5b7e-4f0e-9c61-2d7f1f6f0a55', 'ace0b0de-58a4-4a57-8ed4-31a2f6f3b1c9'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
/** Ids with a prefix, of the fake model and of OpenCode. */
const PREFIXED = /\b(toolu|call|fc|msg|resp|chatcmpl|ses|prt|evt)([_-])[0-9A-Za-z_]{20,}\b/gu;
/** Subagents of Claude Code. */
const AGENT_ID = /\ba[0-9a-f]{16}\b/gu;
/** Short ids without a prefix, by the list they are in. */
const LISTED_IDS: Readonly<Record<string, string>> = { background_tasks: 'bcu54giwc', session_crons: '94cf7cab' };
const COMMIT = /\b[0-9a-f]{40}\b/gu;
const TEXT_LENGTH_MAX = 400;
const LIST_LENGTH_MAX = 6;
const SHORT_LENGTH = 8;
const SHORT_ID = 'e4021c7a';
const NOON_MS = 1_794_744_000_000;

/** One per recording, which starts with its session: ids keep their numbers from payload to payload. */
export function sanitizer(place: Place, session: string): Sanitizer {
  const uuids = new Map<string, string>();
  const ids = new Map<string, string>();
  const uuidFor = (uuid: string): string => {
    const known =
      uuids.get(uuid) ?? UUIDS[uuids.size] ?? `00000000-0000-4000-8000-${String(uuids.size).padStart(12, '0')}`;
    uuids.set(uuid, known);
    return known;
  };
  const idFor = (id: string, prefix: string): string => {
    const count = [...ids.values()].filter((known) => known.startsWith(prefix)).length + 1;
    const known = ids.get(id) ?? `${prefix}${String(count).padStart(2, '0')}`;
    ids.set(id, known);
    return known;
  };
  for (const uuid of session.match(UUID) ?? []) uuidFor(uuid);
  const isUuid = session.search(UUID) === 0;
  const short = session.slice(0, SHORT_LENGTH);
  const text = (value: string): string => {
    // Gemini names its files after the first eight letters of the session.
    const named = value.replaceAll(UUID, uuidFor).replaceAll(short, isUuid ? SHORT_ID : short);
    return withoutTimes(withoutPaths(named, place))
      .replaceAll(COMMIT, 'c0ffee0000000000000000000000000000000001')
      .replaceAll(AGENT_ID, 'a51b0a7c0ffee0001')
      .replaceAll(PREFIXED, (id, prefix: string, dash: string) => idFor(id, `${prefix}${dash}`));
  };
  const word = (value: string, key: string, list: string): string => {
    if (key === 'stack') return 'Error';
    if (key === 'slug') return 'calm-river';
    if (/^(?:id|parentId)$/u.test(key) && /^[0-9a-f]{8}$/u.test(value)) return idFor(value, 'entry-');
    return (key === 'id' ? LISTED_IDS[list] : undefined) ?? shortened(text(value));
  };
  const walk = (value: unknown, key: string, list = ''): unknown => {
    if (typeof value === 'string') return word(value, key, list);
    if (typeof value === 'number') return steadyNumber(value, key);
    if (Array.isArray(value)) return fewOf(value).map((item) => walk(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value as Json).map(([name, item]) => [text(name), walk(item, name, key)]));
  };
  return (payload) => walk(payload, '');
}

/** Names and kinds of fields, without their values: what a decoder relies on. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value as Json).map(([name, item]) => [name, shapeOf(item)]));
}

/** System prompts of a vendor are not ours to keep. */
function shortened(value: string): string {
  return value.length > TEXT_LENGTH_MAX ? `${value.slice(0, TEXT_LENGTH_MAX / 4)}… (shortened)` : value;
}

function fewOf(list: readonly unknown[]): readonly unknown[] {
  return list.length > LIST_LENGTH_MAX ? [...list.slice(0, LIST_LENGTH_MAX - 1), list.at(-1)] : list;
}

function withoutPaths(value: string, place: Place): string {
  const dashed = (file: string): string => file.replaceAll(/[^0-9A-Za-z]/gu, '-');
  return value
    .replaceAll(place.project, '/home/ada/shop')
    .replaceAll(place.home, '/home/ada')
    .replaceAll(place.tmp, '/tmp/ada')
    .replaceAll(path.dirname(place.home), '/tmp/ada')
    .replaceAll(release(), '6.1.0')
    .replaceAll(hostname(), 'shop')
    .replaceAll(dashed(place.project), '-home-ada-shop')
    .replaceAll('/.gemini/tmp/project/', '/.gemini/tmp/shop/')
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:8787');
}

function withoutTimes(value: string): string {
  return value
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+(?:Z|[+-]\d{2}:?\d{2})/gu, '2026-11-15T12:00:00.000Z')
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}-\d{2}(?:-\d{2})?(?:-\d{3}Z)?(?=[-_.])/gu, '2026-11-15T12-00-00')
    .replaceAll(/\/\d{4}\/\d{2}\/\d{2}\//gu, '/2026/11/15/');
}

function steadyNumber(value: number, key: string): number {
  if (value > NOON_MS / 2 && value < NOON_MS * 2) return NOON_MS;
  return /duration|seconds|elapsed/iu.test(key) ? 1 : value;
}
