// @ts-check
// Ratios, not seconds: machines are noisy, so every figure is a paired median of interleaved rounds in one run.

/** @typedef {{ name: string, run: () => number | Promise<number> }} Candidate Each run returns what it cost, in milliseconds. */

/**
 * @param {readonly Candidate[]} candidates the first one is the baseline
 * @param {{ rounds: number, warmUp?: number }} options
 */
export async function interleaved(candidates, { rounds, warmUp = 1 }) {
  /** @type {number[][]} */
  const costs = candidates.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    // The order rotates with every round, so that no candidate always runs on a warm or a busy machine.
    for (let step = 0; step < candidates.length; step++) {
      const index = (step + Math.abs(round)) % candidates.length;
      const candidate = candidates[index];
      if (candidate === undefined) continue;
      const cost = await candidate.run();
      if (round >= 0) costs[index]?.push(cost);
    }
  }
  const baseline = costs[0] ?? [];
  return candidates.map(({ name }, index) => {
    const own = costs[index] ?? [];
    return {
      name,
      medianMs: median(own),
      p95Ms: quantile(own, 0.95),
      ratio: median(own.map((cost, round) => cost / (baseline[round] ?? cost))),
    };
  });
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {() => unknown} work */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {string} title @param {readonly { name: string, medianMs: number, p95Ms: number, ratio: number }[]} rows @param {string} [aim] */
export function print(title, rows, aim) {
  console.log(`\n${title}${aim === undefined ? '' : `  (aim: ${aim})`}`);
  for (const { name, medianMs, p95Ms, ratio } of rows) {
    console.log(
      `  ${name.padEnd(44)} median ${medianMs.toFixed(3).padStart(10)} ms   p95 ${p95Ms.toFixed(3).padStart(10)} ms   ×${ratio.toFixed(2)}`,
    );
  }
}
