import type { TestCounts } from '../../core/evidence.ts';
import type { Runner, Summary } from './runner.ts';

const BEGINS = /^TAP version \d+$/gm;
const PLAN = /^1\.\.(\d+)(?:\s.*)?$/;
const POINT = /^(not )?ok\b(?: (\d+))?(.*)$/;
const NOT_COUNTED = /\s# *(?:skip|todo)/i;

/** The Test Anything Protocol: the points of the outermost level, up to the number in the plan. */
export const tap: Runner = { name: 'tap', begins: BEGINS, findSummaries, fallback: true };

function findSummaries(text: string): readonly Summary[] {
  const starts = [0, ...[...text.matchAll(BEGINS)].map(({ index }) => index)];
  return starts.flatMap((at, index) => {
    const counts = countTap(text.slice(at, starts[index + 1] ?? text.length));
    return counts === undefined ? [] : [{ at, counts }];
  });
}

/** Absent without a plan. If a number appears twice, or there are two plans, the worse result or the smaller plan counts; so does a failure beyond the plan. */
export function countTap(text: string): TestCounts | undefined {
  const plans: number[] = [];
  const points = new Map<number, 'passed' | 'failed' | 'skipped'>();
  let last = 0;
  for (const line of text.split('\n')) {
    const plan = PLAN.exec(line);
    if (plan !== null) plans.push(Number(plan[1]));
    const point = POINT.exec(line);
    if (point === null) continue;
    last = point[2] === undefined ? last + 1 : Number(point[2]);
    const failed = point[1] !== undefined;
    const result = NOT_COUNTED.test(point[3] ?? '') ? 'skipped' : failed ? 'failed' : 'passed';
    if (points.get(last) === undefined || result !== 'passed') points.set(last, result);
  }
  if (plans.length === 0) return undefined;
  const planned = plans.reduce((least, plan) => Math.min(least, plan));
  const counted = [...points].filter(([number]) => number <= planned).map(([, result]) => result);
  const amount = (wanted: string): number => counted.filter((result) => result === wanted).length;
  const ran = amount('passed') + amount('failed');
  const failed = [...points.values()].filter((result) => result === 'failed').length;
  return { ran, failed: Math.min(ran, failed), skipped: amount('skipped') };
}
