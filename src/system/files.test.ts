import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureDir, overwriteOwn, READ_BYTES_MAX, readTextIfExists, storeFault, writeFileAtomic } from './files.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tireless-files-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('writeFileAtomic', () => {
  it.each([true, false])('replaces the file whole and leaves nothing else behind (durable: %s)', (durable) => {
    const file = join(directory, 'a.json');
    writeFileAtomic(file, 'old', { durable });
    writeFileAtomic(file, Buffer.from('nëw'), { durable });
    expect(readTextIfExists(file)).toBe('nëw');
    expect(readdirSync(directory)).toEqual(['a.json']);
  });

  it('keeps the mode of the file it replaces', () => {
    const file = join(directory, 'a');
    writeFileSync(file, 'x');
    chmodSync(file, 0o640);
    writeFileAtomic(file, 'y', { durable: false });
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('writes through a symbolic link', () => {
    const real = join(directory, 'real');
    const link = join(directory, 'link');
    writeFileSync(real, 'x');
    symlinkSync(real, link);
    writeFileAtomic(link, 'y', { durable: false });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toBe('y');
  });

  it('takes a name as long as the file system allows', () => {
    const file = join(directory, 'n'.repeat(250));
    writeFileAtomic(file, 'x', { durable: false });
    expect(readTextIfExists(file)).toBe('x');
  });

  it('removes its temporary file when the target is a directory', () => {
    const target = join(directory, 'target');
    mkdirSync(join(target, 'inside'), { recursive: true });
    expect(() => writeFileAtomic(target, 'x', { durable: false })).toThrow(
      expect.objectContaining({ code: 'STORE_UNWRITABLE' }),
    );
    expect(readdirSync(directory)).toEqual(['target']);
  });

  it('names the file when a part of its path is a file', () => {
    writeFileSync(join(directory, 'a'), '');
    const file = join(directory, 'a', 'b');
    expect(() => writeFileAtomic(file, 'x', { durable: true })).toThrow(
      `Cannot write ${file}: a part of its path is a file`,
    );
  });
});

describe('overwriteOwn', () => {
  it('makes the file, private, and puts the new text in the place of a shorter and of a longer one', () => {
    const file = join(directory, 'a.json');
    for (const text of ['old', 'a longer text, nëw', 'short']) {
      overwriteOwn(file, text);
      expect(readTextIfExists(file)).toBe(text);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['a.json']);
  });

  it.skipIf(process.platform === 'win32')('follows no link, and waits for no pipe', () => {
    const [elsewhere, link, pipe] = ['elsewhere', 'link', 'pipe'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(elsewhere, 'x');
    symlinkSync(elsewhere, link);
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: directory });
    for (const file of [link, pipe]) expect(() => overwriteOwn(file, 'y')).toThrow(file);
    expect(readFileSync(elsewhere, 'utf8')).toBe('x');
  });
});

describe('readTextIfExists', () => {
  it('tells a missing file from an empty one', () => {
    writeFileSync(join(directory, 'empty'), '');
    expect(readTextIfExists(join(directory, 'empty'))).toBe('');
    expect(readTextIfExists(join(directory, 'missing'))).toBeUndefined();
    expect(readTextIfExists(join(directory, 'missing', 'too'))).toBeUndefined();
  });

  it('never takes an unreadable file for a missing one', () => {
    writeFileSync(join(directory, 'a'), '');
    expect(() => readTextIfExists(join(directory, 'a', 'b'))).toThrow(
      expect.objectContaining({ code: 'STORE_UNREADABLE' }),
    );
    expect(() => readTextIfExists(directory)).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }));
  });

  it('refuses a file larger than any of ours', () => {
    const file = join(directory, 'large');
    writeFileSync(file, '');
    truncateSync(file, READ_BYTES_MAX + 1);
    expect(() => readTextIfExists(file)).toThrow(/more than/u);
  });
});

describe('ensureDir', () => {
  it('makes private directories and accepts existing ones', () => {
    const made = join(directory, 'a', 'b');
    ensureDir(made);
    ensureDir(made);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it('reports a file that is in the way', () => {
    writeFileSync(join(directory, 'a'), '');
    expect(() => ensureDir(join(directory, 'a'))).toThrow(expect.objectContaining({ code: 'STORE_UNWRITABLE' }));
  });
});

describe('storeFault', () => {
  const system = (code: string): Error => Object.assign(new Error(code), { code });

  it.each([
    ['ENOSPC', 'write', 'STORE_FULL'],
    ['EDQUOT', 'write', 'STORE_FULL'],
    ['EFBIG', 'write', 'STORE_FULL'],
    ['EACCES', 'write', 'STORE_UNWRITABLE'],
    ['EPERM', 'write', 'STORE_UNWRITABLE'],
    ['EROFS', 'write', 'STORE_UNWRITABLE'],
    ['ENOTDIR', 'read', 'STORE_UNREADABLE'],
    ['EACCES', 'read', 'STORE_UNREADABLE'],
    ['EIO', 'read', 'STORE_UNREADABLE'],
    ['EMFILE', 'read', 'STORE_UNREADABLE'],
    ['EWEIRD', 'write', 'STORE_UNWRITABLE'],
  ] as const)('turns %s on %s into %s with the file and a next step', (errno, access, code) => {
    const cause = system(errno);
    const fault = storeFault(cause, '/s/journal.jsonl', access);
    expect(fault).toMatchObject({ name: 'Fault', code, cause });
    expect(fault.message).toMatch(new RegExp(`^Cannot ${access} /s/journal\\.jsonl: .*${errno}.*\\. [A-Z].*\\.$`, 'u'));
  });

  it('lets a bug stay a bug and a fault stay that fault', () => {
    const bug = new TypeError('x is not a function');
    expect(() => storeFault(bug, '/s', 'read')).toThrow(bug);
    const fault = storeFault(system('EIO'), '/s', 'read');
    expect(storeFault(fault, '/other', 'write')).toBe(fault);
  });
});
