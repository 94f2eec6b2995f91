import { DEFAULT_LIMITS, DEFAULT_TIMING, isEnded, ITERATIONS_MAX_CEILING } from '../../core/loop.ts';
import type { Limit, Limits } from '../../core/loop.ts';
import type { Loop } from '../../core/journal.ts';
import { counterFor, maximumFor } from '../counting.ts';
import { jsonText, setValues } from '../json-file.ts';
import type { AskedTimes } from '../dialect.ts';
import { startTimeOf } from '../start-time.ts';
import { descriptor } from './descriptor.ts';
import type { WiggumFile, WiggumStatus } from './read.ts';
import { isOver, SECONDS_MAX, wiggumFile } from './read.ts';
import type { PastRecords } from './records.ts';
import { errorsAfter, iterationsAfter, NO_PAST } from './records.ts';

/** `past`: records of the journal that may be missing in the file. */
export function project(text: string | null, loop: Loop, past: PastRecords = NO_PAST): string | null {
  if (text === null) return null;
  const file = wiggumFile(text);
  // A file that was broken or ended by hand is left to the user.
  if (file === undefined || isOver(file.status)) return text;
  const { state } = loop;
  const status = isUntouched(loop) ? file.status : statusOf(loop, file.status);
  const counter = counterOf(loop, file);
  const isPaused = state.status === 'paused';
  return setValues(text, [
    ...(counter === (file.current_iteration ?? 0) ? [] : [{ path: ['current_iteration'], value: counter }]),
    ...(status === file.status ? [] : [{ path: ['status'], value: status }]),
    ...(isUntouched(loop) || isPaused === (file.paused_for_approval ?? false)
      ? []
      : [{ path: ['paused_for_approval'], value: isPaused }]),
    ...iterationsAfter(loop, file, past),
    ...errorsAfter(loop, file, past),
  ]);
}

export function withSession(text: string, session: string): string {
  return setValues(text, [{ path: ['session_id'], value: session }]);
}

export function resumed(text: string, { iterationsMax, durationMaxMs }: Partial<Limits>): string {
  const file = wiggumFile(text);
  if (file === undefined) return text;
  return setValues(text, [
    ...(isOver(file.status) ? [{ path: ['status'], value: 'running' }] : []),
    ...(iterationsMax === undefined
      ? []
      : [{ path: ['max_iterations'], value: maximumFor(turnsMaxOf(iterationsMax), descriptor.counting) }]),
    ...(durationMaxMs === undefined ? [] : [{ path: ['timeout'], value: secondsOf(durationMaxMs) }]),
  ]);
}

/** The loop was taken over and nothing has happened since, so the file stays as it was found. */
function isUntouched({ state }: Loop): boolean {
  return (
    state.status === 'running' &&
    state.lastTurn === null &&
    state.lastMessage === '' &&
    state.faults === 0 &&
    state.approvals.length === 0
  );
}

/** Counts how often the loop continued, so the stop that ends it at the maximum does not raise it. Never lower than in the file. */
function counterOf({ spec, state }: Loop, file: WiggumFile): number {
  const counter = counterFor(state.counted, descriptor.counting);
  const maximum = file.max_iterations ?? descriptor.maxIterationsDefault;
  const shown = isEnded(state) && spec.dialect !== undefined ? Math.min(counter, maximum) : counter;
  return Math.max(shown, file.current_iteration ?? 0);
}

function statusOf({ state }: Loop, was: WiggumStatus | undefined): WiggumStatus | undefined {
  switch (state.status) {
    case 'pending':
      return was;
    case 'running':
      return 'running';
    case 'paused':
      return 'paused_awaiting_approval';
    case 'completed':
      return 'completed';
    case 'halted':
      return state.outcome?.kind === 'halted' && state.outcome.guard === 'iterations-max'
        ? 'max_iterations_reached'
        : 'stopped';
    case 'cancelled':
      return 'stopped';
  }
}

/** A file for a loop that has none yet. */
export function newWiggumFile(loop: Loop, asked: AskedTimes = {}): string {
  const { spec, state } = loop;
  const { iterationsMax, durationMaxMs } = state.limits;
  const { pauseBetweenMs } = spec.timing;
  const watched = spec.checks.find((check) => check.probe.kind === 'file-moved')?.probe;
  const fields = {
    loop_id: spec.dialect?.identity?.id ?? `RALPH_${state.loop}`,
    prompt: spec.goal,
    max_iterations: maximumFor(turnsMaxOf(iterationsMax), descriptor.counting),
    completion_promise: spec.claim.texts[0] ?? null,
    current_iteration: counterFor(state.counted, descriptor.counting),
    status: statusOf(loop, 'pending'),
    started_at: startTimeOf(loop),
    iterations: [],
    errors: [],
    paused_for_approval: state.status === 'paused',
    // Fields that the user did not set are left to the document.
    ...(asked['max-duration'] === true || durationMaxMs !== DEFAULT_LIMITS.durationMaxMs
      ? { timeout: secondsOf(durationMaxMs) }
      : {}),
    ...(asked['pause-between'] === true || pauseBetweenMs !== DEFAULT_TIMING.pauseBetweenMs
      ? { pause_between_iterations: secondsOf(pauseBetweenMs) }
      : {}),
    ...(state.session?.host === 'claude-code' ? { session_id: state.session.id } : {}),
    ...(watched?.kind === 'file-moved' ? { watch_file: watched.path, done_folder: watched.folder } : {}),
  };
  return jsonText(fields);
}

function turnsMaxOf(limit: Limit): number {
  return limit === 'unlimited' ? ITERATIONS_MAX_CEILING + 1 : limit;
}

function secondsOf(limit: Limit): number {
  return limit === 'unlimited' ? SECONDS_MAX : Math.min(SECONDS_MAX, limit / 1000);
}
