import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { newId } from './ids.ts';
import { removeLeftoversBelow, removeLeftoversOf } from './leftovers.ts';

const HOUR_MS = 60 * 60 * 1000;

/** As a killed writer of `name` leaves it; test/crash checks what a real one looks like. */
function leave(folder: string, name: string, ageMs: number): string {
  const file = path.join(folder, `.${name}.${newId()}.tmp`);
  writeFileSync(file, 'half');
  const at = new Date(Date.now() - ageMs);
  utimesSync(file, at, at);
  return path.basename(file);
}

describe('what killed writers left', () => {
  it('is removed beside the file it was meant for, and nothing else is', () => {
    const folder = aProject({ 'state.md': '', '.state.md.mine.tmp': '', '.state.md.tmp': '' });
    leave(folder, 'state.md', 2 * HOUR_MS);
    const others = leave(folder, 'other.md', 2 * HOUR_MS);
    const now = leave(folder, 'state.md', 0);
    const tomorrow = leave(folder, 'state.md', -24 * HOUR_MS);
    mkdirSync(path.join(folder, `.state.md.${newId()}.tmp`));
    expect(removeLeftoversOf(path.join(folder, 'state.md'))).toBe(1);
    expect(readdirSync(folder)).toHaveLength(7);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([others, now, tomorrow]));
  });

  it('is looked for where a link leads, as its writer wrote it there', () => {
    const real = aProject({ 'state.md': '' });
    const folder = aProject();
    symlinkSync(path.join(real, 'state.md'), path.join(folder, 'link.md'));
    leave(real, 'state.md', 2 * HOUR_MS);
    expect(removeLeftoversOf(path.join(folder, 'link.md'))).toBe(1);
    expect(readdirSync(real)).toEqual(['state.md']);
  });

  it('is removed everywhere below a folder of ours, and no link is followed out of it', () => {
    const home = aProject({ 'loops/a/snapshot.json': '' });
    const elsewhere = aProject();
    symlinkSync(elsewhere, path.join(home, 'loops', 'b'));
    leave(path.join(home, 'loops', 'a'), 'snapshot.json', 2 * HOUR_MS);
    leave(elsewhere, 'snapshot.json', 2 * HOUR_MS);
    expect(removeLeftoversBelow(home)).toBe(1);
    expect(readdirSync(path.join(home, 'loops', 'a'))).toEqual(['snapshot.json']);
    expect(readdirSync(elsewhere)).toHaveLength(1);
  });

  it('finds nothing where there is no folder', () => {
    expect([removeLeftoversBelow('/none/here'), removeLeftoversOf('/none/here/state.md')]).toEqual([0, 0]);
  });
});
