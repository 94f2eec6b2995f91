import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../../test/support/a-project.ts';
import type { JudgeChange } from '../../core/room.ts';
import { addedAround, changedSurroundings, readSurroundings } from './surroundings.ts';

const never = (): boolean => false;

describe('what is around the room', () => {
  it('is read by runners, so what came or changed since the start is named', () => {
    const top = aProject({ 'package.json': '{}', 'pytest.ini': '', 'notes.txt': '' });
    const place = { rooms: path.join(top, 'state/rooms'), environment: {} };
    const kept = readSurroundings(place);
    expect(changedSurroundings(kept, place, never)).toEqual([]);
    put(top, { 'package.json': '{"type":"module"}', 'state/.cargo/config.toml': '', 'state/notes.txt': '' });
    put(top, { 'state/rooms/conftest.py': '', 'node_modules/chai/index.js': '' });
    rmSync(path.join(top, 'pytest.ini'));
    const named = changedSurroundings(kept, place, never).map(({ path: file, change, stands }) => {
      expect(stands).toBe(true);
      return `${path.relative(top, file)} ${change}`;
    });
    expect(named).toEqual([
      'node_modules added',
      'package.json modified',
      'pytest.ini deleted',
      'state/.cargo/config.toml added',
      'state/rooms/conftest.py added',
    ]);
    expect(changedSurroundings(kept, place, (file) => file.startsWith(top))).toEqual([]);
  });

  it('is also a folder of settings that a variable names', () => {
    const top = aProject();
    const place = { rooms: path.join(aProject(), 'rooms'), environment: { CARGO_HOME: top, GOBIN: 'relative' } };
    const kept = readSurroundings(place);
    put(top, { 'config.toml': '[target."cfg(all())"]\nrunner = "true"\n', 'registry/a.toml': '' });
    expect(changedSurroundings(kept, place, never)).toMatchObject([
      { path: path.join(top, 'config.toml'), change: 'added' },
    ]);
  });

  it('is not written by a run', () => {
    const room = aProject({ 'shop/package.json': '{}', index: '' });
    mkdirSync(path.join(room, 'tmp'));
    expect(addedAround(room)).toEqual([]);
    put(room, { '.cargo/config': '', 'node_modules/a/index.js': '' });
    const names = addedAround(room).map(({ path: file }: JudgeChange) => file);
    expect(names).toEqual(['../.cargo/config', '../node_modules']);
  });
});
