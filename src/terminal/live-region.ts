import type { Limit } from '../core/loop.ts';
import type { AgentActivity } from '../engine/ports.ts';
import { durationText } from '../views/duration.ts';
import { countText, shownCount } from '../views/iteration-count.ts';
import { printable } from '../views/printable.ts';
import { whereWords } from '../views/room-words.ts';
import type { Progress } from './display.ts';
import type { Line } from './narrate.ts';

/** The content of the bottom of the screen. Plain data, so that drawing is a pure function of it. */
export type Region = {
  readonly startedMs: number;
  readonly iteration: number;
  readonly max: Limit;
  readonly activity: string;
  readonly checks: readonly { readonly name: string; readonly since: number }[];
  readonly untilMs: number | null;
  /** The loop is paused or cancelled, and the agent is being ended. */
  readonly isStopping: boolean;
};

const ACTIVITY_CHARS_MAX = 500;
const CHECK_ROWS_MAX = 6;
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_MS = 120;

export function emptyRegion(nowMs: number): Region {
  return {
    startedMs: nowMs,
    iteration: 0,
    max: 'unlimited',
    activity: '',
    checks: [],
    untilMs: null,
    isStopping: false,
  };
}

export function regionAfter(region: Region, progress: Progress, nowMs: number): Region {
  switch (progress.kind) {
    case 'iteration-began':
      return {
        ...region,
        ...shownCount(progress, progress.dialect),
        activity: 'the agent has started',
        checks: [],
        untilMs: null,
        isStopping: false,
      };
    case 'agent-active':
      if (region.isStopping) return region;
      return { ...region, activity: activityText(progress.activity, region.activity), untilMs: null };
    case 'check-began':
      return {
        ...region,
        checks: [...region.checks, { name: `${progress.name}${whereWords(progress.where)}`, since: nowMs }],
      };
    case 'check-ended':
      return { ...region, checks: without(region.checks, `${progress.result.name}${whereWords(progress.where)}`) };
    case 'decided':
      return {
        ...region,
        checks: [],
        activity: '',
        untilMs: null,
        isStopping: progress.decision.kind === 'pause' || progress.decision.kind === 'cancel',
      };
    case 'waiting':
      return { ...region, untilMs: progress.untilMs, activity: WAIT_WORDS[progress.why] };
    case 'loop-opened':
      return { ...region, startedMs: nowMs - progress.runningMs };
    case 'note':
      return region;
  }
}

const WAIT_WORDS = {
  'between-iterations': 'the pause before the next iteration',
  'usage-limit': 'the agent reached its usage limit',
} as const;

export function drawRegion(region: Region, nowMs: number): readonly Line[] {
  const spin = SPINNER[Math.floor(nowMs / SPINNER_MS) % SPINNER.length] ?? '';
  const where = region.iteration === 0 ? 'before the first iteration' : `iteration ${countText(region)}`;
  const wait = region.untilMs === null ? '' : ` · continues in ${durationText(region.untilMs - nowMs)}`;
  const atWork = region.checks.length > 0 ? 'checking' : region.untilMs === null ? 'working' : 'waiting';
  const doing = region.isStopping ? 'stopping' : atWork;
  const running = region.checks.slice(0, CHECK_ROWS_MAX).map(({ name, since }): Line => ({
    tone: 'plain',
    text: `  ${spin} ${printable(name)} (${durationText(nowMs - since)})`,
  }));
  const more =
    region.checks.length > CHECK_ROWS_MAX
      ? [{ tone: 'quiet' as const, text: `    and ${region.checks.length - CHECK_ROWS_MAX} more` }]
      : [];
  return [
    { tone: 'strong', text: `${spin} ${where} · ${durationText(nowMs - region.startedMs)} · ${doing}${wait}` },
    ...running,
    ...more,
    ...(region.checks.length > 0 || region.activity === ''
      ? []
      : [{ tone: 'quiet' as const, text: `  ${region.activity}` }]),
  ];
}

function without(checks: Region['checks'], ended: string): Region['checks'] {
  const at = checks.findIndex(({ name }) => name === ended);
  return at < 0 ? checks : checks.toSpliced(at, 1);
}

/** The last line the agent wrote, made safe: it may contain anything. */
function activityText(activity: AgentActivity, before: string): string {
  switch (activity.kind) {
    case 'output': {
      const end = printable(activity.text.slice(-ACTIVITY_CHARS_MAX * 2));
      const last = end.split('\n').findLast((each) => each.trim() !== '');
      return last === undefined ? before : last.replaceAll('\t', ' ').trim().slice(0, ACTIVITY_CHARS_MAX);
    }
    case 'tool-used':
      return printable(`${activity.tool} ${activity.detail}`).replaceAll(/\s+/g, ' ').slice(0, ACTIVITY_CHARS_MAX);
    case 'usage':
    case 'alive':
    case 'ended':
      return before;
  }
}
