import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from './clock.ts';
import { fileEffects } from './file-effects.ts';

const { readFile, replaceFile, hashText, tryWrite } = fileEffects(systemClock());

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tireless-file-effects-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const file = (): string => path.join(folder, 'state.md');

/** These tests must not depend on a file system without fractions of a millisecond, or on chance. */
function touch(seconds: number): void {
  utimesSync(file(), seconds, seconds);
}

describe('a file that the engine wrote', () => {
  it('is told from the same bytes that someone else wrote', () => {
    replaceFile(file(), null, 'a');
    expect(readFile(file())).toMatchObject({ text: 'a', isOurs: true });
    writeFileSync(file(), 'a');
    touch(1_790_000_000.0008);
    expect(readFile(file())).toMatchObject({ text: 'a', isOurs: false });
    replaceFile(file(), hashText('a'), 'b');
    expect(readFile(file())).toMatchObject({ text: 'b', isOurs: true });
  });

  it('shows the time at which it was written', () => {
    const before = Date.now();
    replaceFile(file(), null, 'a');
    const { mtimeMs } = statSync(file());
    expect(mtimeMs).toBeGreaterThanOrEqual(before);
    expect(mtimeMs).toBeLessThan(Date.now() + 1);
  });

  it('cannot be told where the file system keeps whole milliseconds only', () => {
    writeFileSync(file(), 'a');
    touch(1_790_000_000);
    expect(readFile(file())).toEqual({ text: 'a', hash: hashText('a'), changedMs: 1_790_000_000_000 });
    expect(readFileSync(file(), 'utf8')).toBe('a');
  });
});

describe('the look whether a text can be written', () => {
  it('changes nothing and leaves nothing behind', () => {
    writeFileSync(file(), 'a');
    tryWrite(file(), 'b');
    expect([readFileSync(file(), 'utf8'), readdirSync(folder)]).toEqual(['a', ['state.md']]);
  });

  it('throws what writing would throw', () => {
    writeFileSync(file(), 'a');
    expect(() => tryWrite(path.join(file(), 'below-a-file.md'), 'b')).toThrow(/Cannot write/u);
  });
});
