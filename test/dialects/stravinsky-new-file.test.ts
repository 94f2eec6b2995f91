/** Which file in the place of a Stravinsky loop is that loop, and which one is another. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { State } from '../../src/core/loop.ts';
import { openEmbeddedEngine } from '../../src/facades/embedded-engine.ts';
import type { HookAnswer } from '../../src/facades/stravinsky/index.ts';
import { CONTINUATION_PROMPT, readState, stopHook } from '../../src/facades/stravinsky/index.ts';

const GO_ON = { exitCode: 2, stderr: `${CONTINUATION_PROMPT}\n` };

let root = '';
let home = '';
let cwd = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tireless-stravinsky-'));
  home = path.join(root, 'home');
  cwd = path.join(root, 'project');
  mkdirSync(path.join(cwd, '.stravinsky'), { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const stateFile = (): string => path.join(cwd, '.stravinsky', 'continuation-loop.md');
const put = (text: string): void => writeFileSync(stateFile(), text);
const stop = (message: string): HookAnswer => stopHook({ cwd, home, session: 'one', message });
/** At a time without a fraction that could be taken for our mark by chance. */
const putByHand = (text: string): void => {
  put(text);
  const seconds = Math.floor(Date.now() / 1000) + 0.5004;
  utimesSync(stateFile(), seconds, seconds);
};
const loops = (): readonly State[] => {
  const { store } = openEmbeddedEngine({ home });
  return readdirSync(path.join(home, 'loops'))
    .flatMap((loop) => store.load(loop)?.state ?? [])
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
};
const aFile = (counter: number, body: string): string =>
  `---\niteration_count: ${counter}\nmax_iterations: 10\ncompletion_promise: "Goal achieved"\nactive: true\n---\n\n${body}\n`;

describe('the file of a Stravinsky loop', () => {
  it('begins a loop of its own when the counter is set back by hand, also to a text that the loop itself wrote before', () => {
    put(aFile(1, 'Optional context.'));
    for (const message of ['a', 'b', 'c']) stop(message);
    const texts = readFileSync(stateFile(), 'utf8');
    putByHand(texts.replace('iteration_count: 4', 'iteration_count: 2'));
    expect(stop('d')).toEqual(GO_ON);
    expect(readState(cwd)?.iteration_count).toBe(3);
    expect(loops().map(({ status, counted }) => [status, counted])).toEqual([
      ['cancelled', 3],
      ['running', 2],
    ]);
  });

  it.each([1, 2, 5])('begins a new loop when the file has another goal, with the counter %i', (counter) => {
    put(aFile(1, 'Goal: fix test_auth.py\n- Run pytest'));
    expect(stop('a')).toEqual(GO_ON);
    rmSync(stateFile());
    put(aFile(counter, 'Phase 2: document the new feature'));
    expect(stop('b')).toEqual(GO_ON);
    expect(readState(cwd)?.iteration_count).toBe(counter + 1);
    expect(loops().map(({ status, counted }) => [status, counted])).toEqual([
      ['cancelled', 1],
      ['running', counter],
    ]);
  });

  it('stays the same loop when its notes, its promise or its maximum are edited, or its counter is raised', () => {
    put(aFile(1, 'Goal: fix test_auth.py\n- Run pytest'));
    stop('a');
    for (const [old, edited] of [
      ['- Run pytest', '- Run pytest\n- Blocked: no database'],
      ['- Run pytest', ''],
      ['Goal achieved', 'All green'],
      ['max_iterations: 10', 'max_iterations: 30'],
      [/iteration_count: \d+/u, 'iteration_count: 20'],
    ] as const) {
      put(readFileSync(stateFile(), 'utf8').replace(old, edited));
      expect(stop('hm')).toEqual(GO_ON);
    }
    expect(readState(cwd)?.iteration_count).toBe(21);
    expect(loops()).toHaveLength(1);
  });

  it('writes its counter again when a slow writer of its own left an older text', () => {
    put(aFile(1, 'Optional context.'));
    const { effects } = openEmbeddedEngine({ home });
    stop('a');
    const second = readFileSync(stateFile(), 'utf8');
    stop('b');
    effects.replaceFile(stateFile(), effects.readFile(stateFile())?.hash ?? null, second);
    expect(stop('c')).toEqual(GO_ON);
    expect(readState(cwd)?.iteration_count).toBe(4);
    expect(loops()).toHaveLength(1);
  });
});
