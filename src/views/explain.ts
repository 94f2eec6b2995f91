import type { Event, WatcherEnd } from '../core/event.ts';
import type { Entry, Loop } from '../core/journal.ts';
import { foldEntry } from '../core/journal.ts';
import type { Limit } from '../core/loop.ts';
import { HOME_FILES } from '../core/people-commands.ts';
import { evidenceLines } from './explain-evidence.ts';
import { limitDurationText, durationText } from './duration.ts';
import { countText, iterationCountOf, shownIteration } from './iteration-count.ts';
import { fullStop, oneLine } from './printable.ts';
import { atStart, counted, cutWords, decisionSentence, requestWords } from './sentences.ts';
import { usageOfLimits } from './usage-words.ts';

/** Why one decision was made: the event, the evidence, the limits at that point, and the decision. */
export type Paragraph = {
  readonly revision: number;
  readonly at: string;
  readonly iteration: number | null;
  readonly title: string;
  readonly lines: readonly string[];
  readonly decision: string;
};

const TEXT_CHARS_MAX = 300;

export function explainEntries(entries: readonly Entry[]): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let loop: Loop | null = null;
  for (const entry of entries) {
    const before = loop;
    loop = foldEntry(before, entry);
    paragraphs.push(paragraphOf(entry, before, loop));
  }
  return paragraphs;
}

/** One paragraph as indented lines. */
export function paragraphText(paragraph: Paragraph): readonly string[] {
  const { revision, at, iteration, title, lines, decision } = paragraph;
  const where = iteration === null ? '' : `  iteration ${iteration}`;
  return [
    `#${revision}  ${at}${where}`,
    `  ${fullStop(title)}`,
    ...lines.map((line) => (line.startsWith(' ') ? `  ${line}` : `  - ${line}`)),
    `  => ${fullStop(decision)}`,
  ];
}

function paragraphOf(entry: Entry, before: Loop | null, after: Loop): Paragraph {
  const judged = entry.event.kind === 'turn-ended' || entry.event.kind === 'turn-failed';
  return {
    revision: entry.revision,
    at: entry.at,
    iteration: iterationIn(entry.event, before ?? after),
    title: eventSentence(entry.event, after),
    lines: [...evidenceLines(entry, before), ...(judged ? [`limits: ${limitsText(after)}`] : [])],
    decision: decisionSentence(atStart(entry.event, entry.decision), after.spec.dialect),
  };
}

function iterationIn(event: Event, { spec, state }: Loop): number | null {
  return 'iteration' in event ? shownIteration(event.iteration ?? state.counted + 1, spec.dialect) : null;
}

type PlainKind =
  | 'baseline-taken'
  | 'worker-released'
  | 'iteration-began'
  | 'turn-aborted'
  | 'permission-asked'
  | 'agent-rested'
  | 'session-left'
  | 'user-spoke'
  | 'goal-announced';

/** Events whose sentence does not depend on their fields. */
const PLAIN: Readonly<Record<PlainKind, string>> = {
  'baseline-taken': 'The checks were run once before the agent began',
  'worker-released': 'The driver released the loop',
  'iteration-began': 'The prompt was delivered to the agent',
  'turn-aborted': "The user stopped the agent's turn",
  'permission-asked': 'The host asked the user for a permission',
  'agent-rested': 'The agent stopped in the middle of its turn, and its host waits for a message',
  'session-left': 'The session of the loop ended',
  'user-spoke': 'The user wrote to the agent in its session',
  'goal-announced': "The agent tried to complete the host's own goal",
};

function eventSentence(event: Event, loop: Loop): string {
  switch (event.kind) {
    case 'loop-started':
      return `The loop was started for: ${oneLine(event.spec.goal, TEXT_CHARS_MAX).replace(/[.\s]+$/u, '')}`;
    case 'worker-leased':
      return `Process ${event.worker.pid} on ${event.worker.machine} drives the loop from here`;
    case 'watcher-began':
    case 'watcher-acted':
    case 'watcher-ended':
      return watcherSentence(event);
    case 'turn-ended':
      return event.cut === undefined ? 'The agent ended its turn' : `The turn was cut short (${cutWords(event.cut)})`;
    case 'turn-failed':
      return `${event.late === true ? 'The next prompt showed that the agent had failed' : 'The agent failed'} (${event.failure.class}): ${oneLine(event.failure.detail, TEXT_CHARS_MAX)}`;
    case 'pause-requested':
      return event.trouble === undefined
        ? 'The user paused the loop'
        : `The driver had to stop: ${oneLine(event.trouble, TEXT_CHARS_MAX)}`;
    case 'resume-requested':
      return `The user resumed the loop${event.limits === undefined ? '' : ` with other limits: ${limitsText(loop)}`}`;
    case 'cancel-requested':
      return cancelSentence(event);
    case 'steering-given':
      return `The user said: ${oneLine(event.text, TEXT_CHARS_MAX)}`;
    case 'attempt-refused':
      return attemptSentence(event.command);
    case 'file-edited':
      return editSentence(event);
    case 'session-changed':
    case 'driver-changed':
      return movedSentence(event);
    case 'approval-given':
      return `You approved ${requestWords(event.request)}`;
    case 'approval-refused':
      return `You rejected ${requestWords(event.request)}: ${oneLine(event.reason, TEXT_CHARS_MAX)}`;
    case 'session-resumed':
      return resumedSentence(event);
    case 'outcome-shown':
    case 'move-shown':
      return shownSentence(event.kind);
    case 'wait-ended':
      return waitSentence(event);
    case 'tampering-found':
      return `The driver found that it did not write revision ${event.revision}`;
    case 'iteration-began':
      return `${PLAIN[event.kind]}${loop.state.plan.rerun ? ' again' : ''}`;
    case 'baseline-taken':
    case 'worker-released':
    case 'turn-aborted':
    case 'permission-asked':
    case 'agent-rested':
    case 'session-left':
    case 'user-spoke':
    case 'goal-announced':
      return PLAIN[event.kind];
  }
}

function cancelSentence({ because }: Event & { kind: 'cancel-requested' }): string {
  if (because === undefined) return 'The user cancelled the loop';
  return because === 'start-failed' ? 'The loop could not start' : 'The session of the loop ended';
}

function editSentence({ gone, because }: Event & { kind: 'file-edited' }): string {
  if (!gone) return 'The state file was edited by hand';
  return because === 'file-completed'
    ? 'The state file says that the work is completed'
    : 'The state file was deleted or switched off';
}

function waitSentence({ because }: Event & { kind: 'wait-ended' }): string {
  return because === 'agent-works'
    ? 'The agent was at work again before the loop woke it: its host continued by itself, or you wrote to it'
    : 'The wait is over';
}

function shownSentence(kind: 'outcome-shown' | 'move-shown'): string {
  return kind === 'outcome-shown'
    ? 'The user was notified in the session'
    : 'The user was notified in the old session that the loop had moved';
}

function resumedSentence({ taken }: Event & { kind: 'session-resumed' }): string {
  return taken === true
    ? 'The interrupted turn runs again there'
    : 'The session was resumed after it had ended during a turn';
}

type Moved = Event & { kind: 'session-changed' | 'driver-changed' };

function movedSentence(event: Moved): string {
  return event.kind === 'driver-changed'
    ? `${takenWords(event)} left its session: from here on tireless starts the agents`
    : `${takenWords(event)} continues in the session ${oneLine(event.session.id, TEXT_CHARS_MAX)} of ${event.session.host}`;
}

/** With `activeMs`, the user used --force. */
function takenWords({ from, activeMs }: Moved): string {
  if (from === undefined || activeMs === undefined) return 'The loop';
  return `The user took the loop with --force from the session ${oneLine(from.id, TEXT_CHARS_MAX)} of ${from.host}, whose agent had been active ${durationText(activeMs)} before; it`;
}

function watcherSentence(event: Event & { kind: 'watcher-began' | 'watcher-acted' | 'watcher-ended' }): string {
  switch (event.kind) {
    case 'watcher-began':
      return `Process ${event.worker.pid} on ${event.worker.machine} waits for a person's answer`;
    case 'watcher-acted': {
      const what = event.act === 'agent-started' ? 'resumed the agent' : 'saw the agent end';
      return `The watcher ${what}: ${oneLine(event.detail, TEXT_CHARS_MAX)}`;
    }
    case 'watcher-ended':
      return `The watcher ended: ${WATCHER_ENDS[event.why]}`;
  }
}

function attemptSentence(command: string): string {
  return command === HOME_FILES
    ? 'The agent tried to reach the files of tireless, and was refused'
    : `The agent tried "tireless ${oneLine(command, TEXT_CHARS_MAX)}", which only a person may do, and was refused`;
}

const WATCHER_ENDS: Readonly<Record<WatcherEnd, string>> = {
  'session-returned': 'the session is in use again',
  refused: 'the request was refused',
  overdue: 'it timed out',
  'agent-failed': 'the agent could not be resumed',
  'handed-over': 'the loop left its session',
};

/** The counters after this entry. */
function limitsText({ spec, state }: Loop): string {
  const { limits, usage } = state;
  return [
    spec.dialect === undefined
      ? `${of(String(state.counted), limits.iterationsMax, String)} iterations`
      : `iteration ${countText(iterationCountOf({ spec, state }))}`,
    `${of(durationText(state.runningMs), limits.durationMaxMs, limitDurationText)} running time`,
    ...usageOfLimits(usage, limits),
    ...(state.faultsInRow > 0
      ? [`${of(String(state.faultsInRow), limits.faultsInRowMax, String)} faults in a row`]
      : []),
    ...(state.progress.stalledHalves > 0
      ? [
          `${counted(state.progress.stalledHalves / 2, 'iteration')} without progress, ${limits.noProgressMax === 'unlimited' ? 'no limit' : `${limits.noProgressMax} allowed`}`,
        ]
      : []),
  ].join(', ');
}

function of(used: string, limit: Limit, text: (limit: number) => string): string {
  return `${used} of ${limit === 'unlimited' ? 'unlimited' : text(limit)}`;
}
