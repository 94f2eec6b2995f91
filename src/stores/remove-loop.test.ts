import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { aDraft, aSessionSpec, aStop, begin, commit } from '../../test/support/drafts.ts';
import { isFault } from '../core/fault.ts';
import type { Loaded } from '../engine/ports.ts';
import { isRemovable } from '../engine/choose-pruned.ts';
import { openFileStore } from './file-store.ts';
import { filesOf } from './loop-files.ts';
import { removeFolder, removeLoop } from './remove-loop.ts';

/** Halted by its limit, so that it can be resumed. */
function aHalted(home: string): Loaded {
  const store = openFileStore({ home });
  const halted = commit(store, begin(store, 'a', aSessionSpec({}, 1)), aStop('one'));
  store.close();
  if (halted.state.status !== 'halted') throw new Error(`it is ${halted.state.status}`);
  return halted;
}

const resumed = { kind: 'resume-requested', limits: { iterationsMax: 5 } } as const;
const canRemove = isRemovable;

describe('removeFolder', () => {
  it('opens every folder below that nobody may write to, if it cannot be removed at once', () => {
    const dir = aProject({ 'cache/module/deep/file.txt': 'x\n' });
    const folders = ['cache/module/deep', 'cache/module', 'cache'].map((name) => path.join(dir, name));
    for (const folder of folders) chmodSync(folder, 0o500);
    const modes: number[][] = [];
    removeFolder(dir, () => {
      modes.push(folders.map((folder) => statSync(folder).mode & 0o777));
      if (modes.length === 1) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    });
    expect(modes).toEqual([
      [0o500, 0o500, 0o500],
      [0o700, 0o700, 0o700],
    ]);
    removeFolder(dir);
    expect(existsSync(dir)).toBe(false);
  });
});

describe('removeLoop', () => {
  it('removes a loop with everything in its folder, and the mark of its session', () => {
    const home = aProject();
    aHalted(home);
    expect(removeLoop(home, 'a', { canRemove })).toBe('removed');
    expect(existsSync(filesOf(home, 'a').dir)).toBe(false);
    expect(openFileStore({ home }).list({ ended: 'both' })).toEqual([]);
    expect(removeLoop(home, 'a', { canRemove })).toBe('kept');
  });

  it('keeps a loop that was resumed since it was chosen', () => {
    const home = aProject();
    commit(openFileStore({ home }), aHalted(home), resumed);
    expect(removeLoop(home, 'a', { canRemove })).toBe('kept');
    expect(openFileStore({ home }).load('a')?.state.status).toBe('running');
  });

  it('puts back a loop that is resumed at the last moment', () => {
    const home = aProject();
    const halted = aHalted(home);
    const store = openFileStore({ home });
    store.load('a');
    const at = (point: string) => void (point === 'before-unlink' && commit(store, halted, resumed));
    expect(removeLoop(home, 'a', { canRemove, at })).toBe('kept');
    expect(openFileStore({ home }).load('a')?.state.status).toBe('running');
    store.close();
  });

  it('tells whoever commits after the removal that nothing was committed', () => {
    const home = aProject();
    const halted = aHalted(home);
    const store = openFileStore({ home });
    store.load('a');
    let answer = '';
    const at = (point: string): void => {
      if (point !== 'after-unlink') return;
      try {
        answer = store.commit('a', halted.head, aDraft(halted, resumed)).kind;
      } catch (error) {
        answer = isFault(error) ? 'fault' : 'bug';
      }
    };
    expect(removeLoop(home, 'a', { canRemove, at })).toBe('removed');
    expect(['conflict', 'fault']).toContain(answer);
    store.close();
  });

  it('leaves a whole loop, or no loop at all, wherever it is killed', () => {
    for (const point of ['before-unlink', 'after-unlink'] as const) {
      const home = aProject();
      aHalted(home);
      const at = (reached: string): void => {
        if (reached === point) throw new Error('killed');
      };
      expect(() => removeLoop(home, 'a', { canRemove, at })).toThrow('killed');
      const warnings: string[] = [];
      const left = openFileStore({ home, warn: (sentence) => warnings.push(sentence) }).list({ ended: 'both' });
      expect([point, left.length, warnings]).toEqual([point, point === 'before-unlink' ? 1 : 0, []]);
      rmSync(path.join(home, 'loops'), { recursive: true });
    }
  });
});
