import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { archivedTexts, archiveText } from './archive.ts';
import { filesOf } from './loop-files.ts';
import { noteOnce } from './note-once.ts';
import { readSessionProcess, writeSessionProcess } from './session-process.ts';
import { unbindSession } from './unbind-session.ts';

const SESSION = { host: 'claude-code', id: 'one' };
const WORKER = { id: 'w', pid: 7, machine: 'm', boot: 'b', startTime: '1' } as never;

function aHome(): string {
  const home = aProject();
  mkdirSync(filesOf(home, 'a-loop').dir, { recursive: true });
  return home;
}

it('every text that was kept under a name is found by it', () => {
  const home = aHome();
  archiveText(home, 'a-loop', '/shop/loop.md', 'one');
  archiveText(home, 'a-loop', '/shop/loop.md', 'two');
  archiveText(home, 'a-loop', '/shop/other.md', 'three');
  expect([...archivedTexts(home, 'a-loop', 'loop.md')].toSorted()).toEqual(['one', 'two']);
});

it('a notice is shown once, and again if it cannot be noted', () => {
  const home = aHome();
  expect(noteOnce(home, 'a-loop', 'moved')).toBe(true);
  expect(noteOnce(home, 'a-loop', 'moved')).toBe(false);
  expect(noteOnce(home, 'no-loop', 'moved')).toBe(true);
});

it('an error of our own is not taken for a notice that cannot be noted', () => {
  expect(() => noteOnce(aHome(), undefined as never, 'moved')).toThrow(TypeError);
});

it('the program of a session is known only if all of it was written', () => {
  const home = aHome();
  writeSessionProcess(home, 'a-loop', SESSION, WORKER);
  expect(readSessionProcess(home, 'a-loop', SESSION)).toEqual(WORKER);
  expect(readSessionProcess(home, 'a-loop', { ...SESSION, id: 'two' })).toBeNull();
  for (const name of ['machine', 'boot', 'startTime', 'pid']) {
    const worker = { ...(WORKER as object), [name]: undefined } as never;
    writeSessionProcess(home, 'a-loop', SESSION, worker);
    expect(readSessionProcess(home, 'a-loop', SESSION)).toBeNull();
  }
});

it('a session is bound no longer when its loop was removed, unless it has another one', () => {
  const home = aHome();
  const folder = path.join(home, 'sessions', 'claude-code');
  mkdirSync(path.join(folder, '=next'), { recursive: true });
  const binding = path.join(folder, 'one');
  writeFileSync(binding, 'a-loop\n');
  unbindSession(home, SESSION, 'other-loop');
  expect(existsSync(binding)).toBe(true);
  unbindSession(home, SESSION, 'a-loop');
  expect(existsSync(binding)).toBe(false);
});
