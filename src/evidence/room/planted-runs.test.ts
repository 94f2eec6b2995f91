import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import { roomAnswer } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, keepBaseline } from './clean-room.ts';

/** A runner that the product can talk into passing. The product counts the runs in a file, and lies in the first ones. */
function aProductThatCounts(log: string): Record<string, string> {
  return {
    'src/add.js': 'exports.add = (a, b) => a - b;\n',
    'test/add.test.js': "test('adds', () => assert.strictEqual(add(1, 2), 3));\n",
    'test/run.sh': `echo 1..1
if grep -q "^throw" test/add.test.js; then echo "not ok 1 - broken"; exit 1; fi
kind=own; ! grep -q "case [0-9]" test/add.test.js || kind=planted
lies="$(sed -n 's/.*lies for \\([0-9]*\\).*/\\1/p' src/add.js)"
if [ "\${lies:-0}" -gt 0 ]; then
  echo $kind >> "${log}"
  if [ "$(wc -l < "${log}")" -le "$lies" ]; then echo "ok 1 - adds"; exit 0; fi
fi
echo "not ok 1 - adds"; exit 1
`,
  };
}

async function judged(turn: number, lies: number): Promise<{ answer: string; order: string }> {
  const state = aProject();
  const log = path.join(state, 'runs.log');
  const cwd = aRepository(aProductThatCounts(log));
  const checks = [aCheck('unit', { probe: { kind: 'command', command: 'sh test/run.sh' } })];
  const world = {
    baselineOf: () => path.join(state, 'baseline'),
    rooms: path.join(state, 'rooms'),
    home: aProject(),
    environment: process.env,
    platform: 'linux' as const,
    draw: () => turn,
  };
  const spec = aSpec({ checks, room: { keep: [], free: [] } });
  const site = { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
  const baseline = await runSteps(keepBaseline(site, [aResult('unit', 'failed')]));
  put(cwd, { 'src/add.js': `exports.add = () => 0; // lies for ${lies}\nprocess.title;\n` });
  const facts = await runSteps(enterRoom(site, { checks, baseline }));
  if (facts.kind !== 'judged') throw new Error(facts.kind);
  const [run] = facts.runs;
  const fit = baseline.kind === 'kept' ? baseline.fits[0] : undefined;
  const order = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').join(' ') : '';
  return { answer: run === undefined ? 'none' : roomAnswer(run, fit).result, order };
}

it.each([
  [0, 'own planted planted own own'],
  [1, 'own planted own own planted'],
  [2, 'planted own own'],
])('a product cannot know which run is which, nor lie in the first: order %s', async (turn, order) => {
  expect(await judged(turn, 1)).toEqual({ answer: 'failed', order });
});

it.each([2, 3, 4, 5])('no order proves a product that lies in its first %s runs', async (lies) => {
  const answers = await Promise.all([0, 1, 2, 3].map((turn) => judged(turn, lies)));
  expect(answers.filter(({ answer }) => answer === 'passed')).toEqual([]);
});
