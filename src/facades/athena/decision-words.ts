import type { Decision } from '../../core/decision.ts';
import type { SessionRef } from '../../core/loop.ts';
import { isEnded, isSameSession } from '../../core/loop.ts';
import { promptOf } from '../../core/prompt.ts';
import { dayLimitText } from '../../dialects/day-limit.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { Loaded } from '../../engine/ports.ts';
import type { Logger } from './logger.ts';
import type { LoopDecision } from './loop-state.ts';

export const MAX_REACHED = 'max iterations reached';
export const MARKER_FOUND = 'completion marker found';
export const TRACKER_GONE = 'the tracker file is gone';

type WordedDecision = LoopDecision & { readonly level: 'info' | 'warn' | 'none' };

/** The engine's answer in the document's words, and the level at which it is logged. */
export function decisionInWords({ decision, loaded, reading }: DialectHandled, session: SessionRef): WordedDecision {
  switch (decision.kind) {
    case 'continue':
      return {
        action: 'continue',
        reason: loaded === undefined ? '' : promptOf(loaded.spec, loaded.state),
        level: 'none',
      };
    case 'complete':
      return stop(MARKER_FOUND, 'info');
    case 'halt':
      return stop(haltReason(decision), 'info');
    case 'cancel':
      return reading === null ? stop(TRACKER_GONE, 'warn') : stop('the tracker was switched off', 'info');
    case 'pause':
      return stop(
        `paused: ${decision.cause}${decision.question === undefined ? '' : `: ${decision.question}`}`,
        'warn',
      );
    case 'record':
    case 'refuse':
      return stop('no active loop', 'none');
    case 'abstain':
      if (reading === null) return stop(TRACKER_GONE, 'warn');
      if (reading.kind === 'invalid') return stop(reading.why, 'warn');
      if (loaded !== undefined) {
        const held = otherDriver(loaded, session) ?? pausedWhy(loaded);
        if (held !== null) return stop(held, 'warn');
      }
      return stop(`no active loop (${decision.because})`, 'none');
  }
}

function haltReason(decision: Decision & { kind: 'halt' }): string {
  const { guard, limit } = decision;
  if (guard === 'day-max') return dayLimitText(decision, `createLoopManager(…, { dayTurnsMax: ${(limit ?? 0) * 5} })`);
  return guard === 'iterations-max' ? MAX_REACHED : `halted: ${guard}`;
}

/** `null` = nobody but this session. */
export function otherDriver({ state }: Loaded, session: SessionRef): string | null {
  if (isEnded(state) || state.session === null || isSameSession(state.session, session)) return null;
  return `another session (${state.session.host} ${state.session.id}) drives it`;
}

/** `null` = the loop is not paused. */
export function pausedWhy({ state }: Loaded): string | null {
  if (state.status !== 'paused') return null;
  const cause = state.pause === null ? '' : ` (${state.pause.cause})`;
  return `the loop is paused${cause}; "tireless resume ${state.loop}" continues it`;
}

export function logDecision(logger: Logger, trackerPath: string, { level, reason }: WordedDecision): void {
  if (level === 'warn') logger.warn(`Loop tracker ${trackerPath}: ${reason}. The agent may stop.`);
  if (level === 'info') logger.info(`Loop tracker ${trackerPath}: ${reason}.`);
}

function stop(reason: string, level: WordedDecision['level']): WordedDecision {
  return { action: 'stop', reason, level };
}
