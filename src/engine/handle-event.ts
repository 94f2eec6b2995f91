import { advance } from '../core/advance.ts';
import type { AbstainReason } from '../core/decision.ts';
import { decide } from '../core/decide.ts';
import { repeatsLastTurn } from '../core/decide-turn.ts';
import type { Event } from '../core/event.ts';
import type { Evidence } from '../core/evidence.ts';
import { Fault } from '../core/fault.ts';
import { isDelivery, loopOf } from '../core/journal.ts';
import type { LoopId } from '../core/loop.ts';
import { promptMark } from '../core/prompt-mark.ts';
import { promptOf } from '../core/prompt.ts';
import { gather } from './gather.ts';
import type { LiveFile } from './live-file.ts';
import { fileForEvent, planProjection, project } from './live-file.ts';
import type { Pipeline } from './pipeline.ts';
import { perform } from './pipeline.ts';
import type { Handled, Loaded, TurnReport } from './ports.ts';

/** Generous, because each conflict is someone else's progress; bounded, like every loop here. */
const CONFLICTS_MAX = 200;

/** Reasons that may disappear once the evidence is gathered. */
const NEEDS_EVIDENCE: ReadonlySet<AbstainReason> = new Set(['limit-not-raised', 'work-changed']);

/**
 * Processes one event: load, gather, decide, advance, commit. The reply may be given only after this returns. A loop that the caller has
 * just loaded is not loaded again: if it has changed since, the commit finds out. A conflict means that someone else changed the loop: load
 * and decide again on the evidence already gathered.
 */
export function* handleEvent(
  target: LoopId | Loaded,
  event: Event,
  report: TurnReport = {},
  inFile?: LiveFile,
): Pipeline<Handled> {
  const live = inFile === undefined ? undefined : fileForEvent(inFile, event);
  const loop = typeof target === 'string' ? target : target.state.loop;
  let evidence: Evidence | undefined;
  for (let attempt = 0; attempt <= CONFLICTS_MAX; attempt++) {
    const loaded: Loaded | undefined =
      attempt === 0 && typeof target !== 'string' ? target : yield* perform('load', loop);
    if (loaded === undefined) return { decision: { kind: 'abstain', because: 'no-loop' } };
    const { spec, state, head } = loaded;

    // Checks are slow: an event that will be refused anyway must not trigger a test run.
    const clock = yield* perform('readClock');
    const reporter =
      report.beganMs !== undefined && repeatsLastTurn(state, event) ? { reporterBeganMs: report.beganMs() } : {};
    const early = decide(spec, state, event, {
      clock,
      ...reporter,
      holderAlive: false,
      ...reported(report),
    });
    if (early.kind === 'abstain' && !NEEDS_EVIDENCE.has(early.because)) return { decision: early, loaded };

    const gathered =
      evidence !== undefined && reusable(event, evidence)
        ? { ...evidence, clock }
        : yield* gather({ spec, state, event, report });
    evidence = { ...gathered, ...reporter };
    const decision = decide(spec, state, event, evidence);
    if (decision.kind === 'abstain') return { decision, evidence, loaded };

    const at = new Date(evidence.clock.wallMs).toISOString();
    const step = { at, event, evidence, decision };
    const next = loopOf(loaded.asked, advance(spec, state, step));
    const delivered = isDelivery(step, next.state) ? { prompt: promptOf(next.spec, next.state) } : {};
    const draft = delivered.prompt === undefined ? step : { ...step, prompt: promptMark(delivered.prompt) };
    if (live === undefined) {
      const result = yield* perform('commit', loop, head, draft);
      if (result.kind === 'committed') return { decision, evidence, loaded: result.loaded, ...delivered };
      continue;
    }
    const bytes = yield* perform('readFile', live.path);
    const planned = yield* planProjection(live, bytes, next);
    const { mark: file } = planned;
    // If the file cannot be written, the agent may stop, and the stop is not an iteration.
    if (decision.kind === 'continue' && planned.text !== null && file.written !== file.read)
      yield* perform('tryWrite', live.path, planned.text);
    const result = yield* perform('commit', loop, head, { ...draft, file });
    if (result.kind === 'committed') {
      yield* project(live, bytes, result.loaded);
      return { decision, evidence, loaded: result.loaded };
    }
  }
  throw new Fault(
    'STATE_CONFLICT',
    `Other processes changed loop ${loop} ${CONFLICTS_MAX} times while this event was handled. Look at "tireless status ${loop}" and try again.`,
  );
}

/** The facts in the report itself, before anything is examined. */
function reported({
  backgroundWork = false,
  backgroundTasks,
  outlasted,
  userFirst,
  approvalDue,
}: TurnReport): Partial<Evidence> {
  return {
    backgroundWork,
    ...(backgroundTasks === undefined ? {} : { backgroundTasks }),
    ...(outlasted === undefined ? {} : { outlasted }),
    ...(userFirst === undefined ? {} : { userFirst }),
    ...(approvalDue === undefined ? {} : { approvalDue }),
  };
}

/** Only evidence that was slow to gather is reused: the holder of the lease may have changed, and a look that was not due may be due now. */
function reusable(event: Event, evidence: Evidence): boolean {
  return event.kind === 'baseline-taken' || (event.kind === 'turn-ended' && evidence.workspace !== undefined);
}
