import { describe, expect, it } from 'vitest';
import { judgeOf } from '../judge/classify.ts';
import type { RoomMode } from './compose-room.ts';
import { composeRoom } from './compose-room.ts';
import type { FileList } from './file-list.ts';

const listOf = (...names: readonly string[]): FileList =>
  new Map(names.map((name) => [name, { mode: '100644', blob: name }]));

function filesOf(before: readonly string[], added: readonly string[], mode: RoomMode = 'judged'): readonly string[] {
  const baseline = listOf(...before);
  const judge = judgeOf({ commands: ['cargo test'], paths: before, protect: [], free: [], readText: () => undefined });
  return [...composeRoom({ baseline, work: listOf(...before, ...added), judge }, mode).keys()].filter(
    (file) => !before.includes(file),
  );
}

const PROJECT = ['Cargo.toml', 'src/lib.rs', 'tests/cart.rs'];

describe('a package that the agent added', () => {
  it('is built even if its folder has the name of test helpers', () => {
    const added = ['testutil/Cargo.toml', 'testutil/src/lib.rs', 'testutil/src/deep/a.rs'];
    expect(filesOf(PROJECT, added)).toEqual(added);
  });

  it('brings neither its tests nor files for other runners', () => {
    const kept = ['testutil/Cargo.toml', 'testutil/src/lib.rs'];
    const left = ['testutil/tests/a.rs', 'testutil/a.test.js', 'testutil/conftest.py', 'testutil/src/a.test.js'];
    expect(filesOf(PROJECT, [...kept, ...left])).toEqual(kept);
  });

  it('does not count where the folder judged before', () => {
    const before = [...PROJECT, 'testutil/helper.rs'];
    expect(filesOf(before, ['testutil/Cargo.toml', 'testutil/src/lib.rs'])).toEqual([]);
  });
});

describe('helpers of tests that the agent added', () => {
  it('come with the tests that it added', () => {
    const added = ['tests/more.rs', 'testutil/helper.rs'];
    expect(filesOf(PROJECT, added)).toEqual([]);
    expect(filesOf(PROJECT, added, 'with-added')).toEqual(added);
  });
});
