import type { Wake } from './guard.ts';
import type { DialectHookCall, HookCall, SettingsEdit, SetupPlace, UserPlace } from './setup.ts';

/** One event of a host that we answer. Never part of the hook. */
export type HookRow = {
  readonly event: string;
  readonly why: string;
  readonly wake: Wake;
  readonly matcher?: string;
  readonly words?: readonly string[];
  /** The host may end while it runs. */
  readonly outlives?: true;
  /** Other keys next to the call in the settings of this host. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Needed only while a loop is armed. */
  readonly whileArmed?: true;
  /**
   * Dialects answer here too; `timed`: only those whose iterations have a time; `errors`: only those whose document has rules for a turn that
   * failed; `ends`: only those whose loop ends with its session.
   */
  readonly dialects?: true | 'timed' | 'errors' | 'ends';
  /** The event before the agent reads a prompt of the user. */
  readonly isPrompt?: true;
};

/** What every host with hooks in its settings calls us for. Only the names differ. */
export function sessionRows(stop: string, prompt: string): readonly HookRow[] {
  return [
    { event: stop, why: 'calls tireless before the agent stops', wake: 'own-session', dialects: true },
    {
      event: prompt,
      why: 'answers /ralph and lets what you write steer the loop',
      wake: 'always',
      dialects: true,
      isPrompt: true,
    },
    { event: 'SessionStart', why: 'offers a loop that can continue', wake: 'any-session', dialects: true },
  ];
}

export function toolRow(event: string): HookRow {
  return {
    event,
    why: 'enforces the time of an iteration, and keeps the agent from answering for you',
    wake: 'tool-session',
    dialects: 'timed',
  };
}

/** What the host runs at one event: the line, in the host's own shape. */
export type HookLine = HookCall & {
  readonly event: string;
  readonly matcher: string | undefined;
  readonly settings?: HookRow['settings'];
};

/** Which lines a place needs, each with its reason. */
export function linesFor(
  place: SetupPlace,
  rows: readonly HookRow[],
): readonly (HookLine & { readonly why: string })[] {
  const own = place.dialectsOnly ? [] : rows.filter((row) => !(place.onDemand && row.whileArmed === true));
  return [
    ...own.map(({ event, why, matcher, settings, ...row }) => ({
      event,
      why,
      matcher,
      ...(settings === undefined ? {} : { settings }),
      ...place.hookCall(row),
    })),
    ...rows.flatMap(({ event, dialects, isPrompt, settings }) =>
      callsAt(dialects, place).map(({ atPrompt, ...call }) => ({
        event,
        matcher: undefined,
        ...(isPrompt === true && atPrompt !== undefined ? atPrompt : call),
        ...(settings === undefined ? {} : { settings }),
        why: 'answers for the enabled state file',
      })),
    ),
  ];
}

function callsAt(dialects: HookRow['dialects'], place: SetupPlace): readonly DialectHookCall[] {
  switch (dialects) {
    case undefined:
      return [];
    case true:
      return place.dialectCalls;
    case 'timed':
      return place.dialectsTimed ? place.dialectCalls : [];
    case 'errors':
      return place.dialectErrorCalls;
    case 'ends':
      return place.dialectEndCalls;
  }
}

/** The part that comes and goes with a loop. */
export function armedLines(
  place: SetupPlace,
  rows: readonly HookRow[],
): readonly (HookLine & { readonly why: string })[] {
  const armed = rows.filter((row) => row.whileArmed === true);
  return linesFor({ ...place, onDemand: false, dialectsOnly: false, dialectCalls: [] }, armed);
}

/** The shape that most hosts took over: `hooks.EVENT[] = { matcher?, hooks: [{ type, command, timeout }] }`. */
export function groupEdits(
  file: string,
  lines: readonly (HookLine & { readonly why: string })[],
  more: Readonly<Record<string, unknown>>,
): readonly SettingsEdit[] {
  return lines.map(({ event, line, otherKeys, matcher, why, settings }) => ({
    kind: 'json',
    file,
    why,
    puts: [
      {
        path: ['hooks', event],
        how: 'append',
        value: {
          ...(matcher === undefined ? {} : { matcher }),
          hooks: [{ type: 'command', command: line, ...otherKeys, ...more, ...settings }],
        },
      },
    ],
  }));
}

/** Where settings are put: for the user, or in the folder of this name in the project. */
export function foldersOf(userFolder: (place: UserPlace) => string, name: string): (place: SetupPlace) => string {
  return (place) => (place.scope === 'user' ? userFolder(place) : `${place.project}/${name}`);
}
