import type { Entry } from './journal.ts';
import type { Limit, LoopId, Outcome, PauseCause, State } from './loop.ts';

/** Events worth reporting to someone who does not watch every step. */
export type Milestone = { readonly loop: LoopId; readonly revision: number; readonly at: string } & (
  | { readonly kind: 'iteration-counted'; readonly iteration: number; readonly iterationsMax: Limit }
  | { readonly kind: 'check-passed'; readonly name: string }
  | { readonly kind: 'criterion-met'; readonly text: string }
  | { readonly kind: 'paused'; readonly cause: PauseCause }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
);

/** The milestones of one step, in the order in which to report them. `before` = `null`: the loop was just created. */
export function milestonesOf(before: State | null, entry: Entry, after: State): readonly Milestone[] {
  if (before === null) return [];
  const where = { loop: after.loop, revision: entry.revision, at: entry.at };
  const { iterationsMax } = after.limits;
  const counted: Milestone[] =
    after.counted > before.counted
      ? [{ ...where, kind: 'iteration-counted', iteration: after.counted, iterationsMax }]
      : [];
  const green = after.checks.filter((check) => check.result === 'passed' && check.holdout !== true);
  const wasGreen = new Set(before.checks.filter((check) => check.result === 'passed').map((check) => check.name));
  const { pause, outcome } = after;
  return [
    ...counted,
    ...green
      .filter(({ name }) => !wasGreen.has(name))
      .map(({ name }): Milestone => ({ ...where, kind: 'check-passed', name })),
    ...after.criteriaMet
      .filter((text) => !before.criteriaMet.includes(text))
      .map((text): Milestone => ({ ...where, kind: 'criterion-met', text })),
    ...(pause !== null && before.pause === null ? [{ ...where, kind: 'paused', cause: pause.cause } as const] : []),
    ...(outcome !== null && before.outcome === null ? [{ ...where, kind: 'ended', outcome } as const] : []),
  ];
}
