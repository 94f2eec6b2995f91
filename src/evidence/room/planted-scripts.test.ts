import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aCheck, aResult, aSpec } from '../../../test/support/a-loop.ts';
import { aProject, aRepository, put } from '../../../test/support/a-project.ts';
import type { RoomAnswer } from '../../core/room.ts';
import { fitOf, roomAnswer } from '../../core/room.ts';
import { runSteps } from '../command-steps.ts';
import { enterRoom, keepBaseline } from './clean-room.ts';

const SCRIPT = `const assert = require('node:assert/strict');
const { add } = require('../src/add.js');
assert.equal(add(2, 3), 5);
console.log('fine');
`;

async function answerOf(work: string, script = SCRIPT): Promise<RoomAnswer> {
  const cwd = aRepository({ 'test/all.js': script, 'src/add.js': 'exports.add = (a, b) => a - b;\n' });
  const state = aProject();
  const probe = { kind: 'command', command: 'node test/all.js' } as const;
  const spec = aSpec({ checks: [aCheck('unit', { probe })], room: { keep: [], free: [] } });
  const world = {
    baselineOf: () => path.join(state, 'loops/a-loop/baseline'),
    rooms: path.join(state, 'rooms'),
    home: aProject(),
    environment: process.env,
    platform: 'linux' as const,
  };
  const site = { loop: 'a-loop', cwd, spec, world, onCheck: () => undefined };
  const baseline = await runSteps(keepBaseline(site, [aResult('unit', 'failed')]));
  put(cwd, { 'src/add.js': work });
  const facts = await runSteps(enterRoom(site, { checks: spec.checks, baseline }));
  const [run] = facts.kind === 'judged' ? facts.runs : [];
  if (run === undefined) throw new Error(facts.kind);
  return roomAnswer(run, fitOf(baseline, 'unit'));
}

const WRONG = 'exports.add = (a, b) => a - b;\n';
const RIGHT = 'exports.add = (a, b) => a + b;\n';

describe('a plain script that passed', () => {
  it.each([
    ['ends the process when it is loaded', `const p = process;\n${WRONG}p['ex' + 'it'](0);\n`],
    ['logs every error', `const on = (t, n) => t.on(n, () => {});\n${WRONG}on(process, 'uncaught' + 'Exception');\n`],
    ['ends the process when it is called', "exports.add = () => process['ex' + 'it'](0);\n"],
  ])('proves nothing when the product %s', async (_, work) => {
    expect(await answerOf(work)).toEqual({ result: 'unknown', doubt: 'cannot-fail' });
  });

  it.each([
    ['reads its settings', `const size = process.env.SHOP_SIZE ?? 1;\n${RIGHT}exports.size = size;\n`, SCRIPT],
    ['reports errors and fails', `process.on('uncaughtException', () => process.exit(1));\n${RIGHT}`, SCRIPT],
    [
      'is tested by a script that ends itself',
      `${RIGHT}exports.name = process.title;\n`,
      `${SCRIPT}process.exit(0);\n`,
    ],
  ])('is proof when the product %s', async (_, work, script) => {
    expect(await answerOf(work, script)).toEqual({ result: 'passed' });
  });
});
