import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANSWERED, KILLED, run, set } from './dialect-kill.ts';

const TEXT = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'go',
  pause_between_iterations: 0,
  iterations: [],
  errors: [],
});
const sample = { file: 'AI_Employee_Vault/Ralph_State/RALPH_1.json', text: TEXT, session: 's-1' };

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tireless-wiggum-records-'));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('iterations after kill -9', () => {
  it.for([
    { moment: 'before-append', counts: false },
    { moment: 'before-sync', counts: true },
    // The file is tried on disk before the commit, and written after it.
    { moment: 'before-temporary', counts: false },
    { moment: 'before-rename', counts: true },
    { moment: 'after-rename', counts: true },
  ] as const)('has every entry when two stops in a row die $moment', async ({ moment, counts }) => {
    const stage = set(path.join(root, moment), sample);
    const scene = { stage, way: 'its own interface', name: 'ralph-wiggum', sample } as const;
    expect(await run(scene, 1)).toEqual(ANSWERED);
    for (const which of [2, 3]) expect(await run(scene, which, { moment, passing: 1 })).toEqual(KILLED);
    expect(await run(scene, 4)).toEqual(ANSWERED);
    const { iterations, current_iteration: counter } = JSON.parse(readFileSync(stage.full, 'utf8')) as {
      iterations: { number: number; output_preview: string }[];
      current_iteration: number;
    };
    const said = counts ? [1, 2, 3, 4] : [1, 4];
    expect(iterations.map((item) => item.output_preview)).toEqual(said.map((which) => `not yet (${which})`));
    expect(iterations.map((item) => item.number)).toEqual(said.map((_, index) => index + 1));
    expect(counter).toBe(said.length);
  });
});
