import type { WakeScope } from './guard.ts';
import { NOTICE_WORD } from './guard.ts';
import type { DialectHookCall, HookCall, SettingsEdit, SetupPlace, UserPlace } from './setup.ts';

/** One event of a host that we handle. Never part of the hook. */
export type HookRow = {
  readonly event: string;
  readonly why: string;
  readonly wake: WakeScope;
  readonly matcher?: string;
  readonly words?: readonly string[];
  /** The host may exit while it runs. */
  readonly outlives?: true;
  /** Other keys beside the call in the settings of this host. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Needed only while a loop is armed. */
  readonly whileArmed?: true;
  /**
   * Dialects handle it too; `timed`: only those with an iteration timeout; `errors`: only those whose document has rules for a failed turn;
   * `ends`: only those whose loop ends with its session.
   */
  readonly dialects?: true | 'timed' | 'errors' | 'ends';
  /** The event before the agent reads a prompt of the user. */
  readonly isPrompt?: true;
};

/** The events of every host with hooks in its settings. Only the names differ. */
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
    why: 'enforces the time limit of an iteration, and keeps the agent from answering for you',
    wake: 'tool-session',
    dialects: 'timed',
  };
}

/** When the host waits for an answer of the user. */
export function noticeRow(event: string): HookRow {
  return { event, why: 'stops the clock while the agent waits for you', wake: 'own-session', words: [NOTICE_WORD] };
}

/** The call of the host at one event, in the host's own shape. */
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
        why: 'handles the enabled state file',
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

/** The lines that come and go with a loop. */
export function armedLines(
  place: SetupPlace,
  rows: readonly HookRow[],
): readonly (HookLine & { readonly why: string })[] {
  const armed = rows.filter((row) => row.whileArmed === true);
  return linesFor({ ...place, onDemand: false, dialectsOnly: false, dialectCalls: [] }, armed);
}

/** The shape that most hosts adopted: `hooks.EVENT[] = { matcher?, hooks: [{ type, command, timeout }] }`. */
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
