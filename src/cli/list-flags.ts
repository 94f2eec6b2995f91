import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Status } from '../core/loop.ts';
import { isEnded } from '../core/loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';
import type { Flag, Values } from './flags.ts';
import { optional, texts, toggle, value } from './flags.ts';
import { parseNumberOf, parseSince } from './flag-values.ts';
import { isInProjectOf } from '../system/project.ts';

type SelectTable = {
  readonly project: Flag<string | undefined>;
  readonly since: Flag<number | undefined>;
  readonly limit: Flag<number | undefined>;
  readonly json: Flag<boolean>;
};

type StatusTable = { readonly status: Flag<readonly StatusWord[]> };

type StatusWord = Status | 'open' | 'ended';
const STATUS_WORDS: readonly StatusWord[] = [
  'open',
  'ended',
  'pending',
  'running',
  'paused',
  'completed',
  'halted',
  'cancelled',
];

/** Which loops a list shows. */
export const SELECT_FLAGS: SelectTable = {
  project: optional('DIR', 'only loops of this project, or of the one in DIR'),
  since: value('WHEN', 'only loops that changed since: 12h, 7d, or a date such as 2026-11-01', (given, name) =>
    parseSince(given, name),
  ),
  limit: value('N', 'only the newest N', (given, name) => parseNumberOf(given, name)),
  json: toggle('print {"loops":[…]} for scripts'),
};

export const STATUS_FLAG: StatusTable = {
  status: {
    ...texts('STATUS', `only loops of this status; repeatable: ${STATUS_WORDS.join(', ')}`),
    absent: [],
    choices: STATUS_WORDS,
    add: (before: readonly StatusWord[], given, name) => [...before, statusNamed(given, name)],
  },
};

export type Selection = Omit<Values<SelectTable>, 'json'> & { readonly status: readonly StatusWord[] };

/** Also accepts `--project DIR`, although a switch takes its value after "=": a list takes no other words. */
export function selectionOf(
  words: readonly string[],
  values: Values<SelectTable> & Partial<Values<StatusTable>>,
  name: string,
): Selection {
  const { project, since, limit, status = [] } = values;
  const [directory, ...others] = words;
  if (directory === undefined) return { project, since, limit, status };
  if (others.length > 0 || project !== '')
    throw new Fault(
      'USAGE',
      `"tireless ${name}" takes no words, but got "${oneLine(words.join(' '), 60)}". For the loops of one project: tireless ${name} --project DIR.`,
    );
  return { project: directory, since, limit, status };
}

/** All loops that match, in their order; the caller that shows them applies `limit`. */
export function selectLoops(
  loops: readonly Loaded[],
  { project, since, status }: Omit<Selection, 'limit'>,
  cwd: string,
): readonly Loaded[] {
  const isHere = project === undefined ? null : isInProjectOf(path.resolve(cwd, project === '' ? '.' : project));
  return loops.filter(
    ({ state }) =>
      (isHere === null || isHere(state.cwd)) &&
      (since === undefined || Date.parse(state.updatedAt) >= since) &&
      (status.length === 0 || status.some((word) => isOfStatus(state, word))),
  );
}

function isOfStatus(state: Loaded['state'], word: StatusWord): boolean {
  return word === 'open' ? !isEnded(state) : word === 'ended' ? isEnded(state) : state.status === word;
}

function statusNamed(given: string, name: string): StatusWord {
  const found = STATUS_WORDS.find((word) => word === given);
  if (found !== undefined) return found;
  throw new Fault(
    'USAGE',
    `Cannot use "${oneLine(given, 60)}" for ${name}: it takes one of ${STATUS_WORDS.join(', ')}.${didYouMean(given, STATUS_WORDS)}`,
  );
}
