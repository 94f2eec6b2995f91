import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTrust } from './trust.ts';

describe('trust', () => {
  let root: string;
  let file: string;
  const open = () => openTrust(path.join(root, 'home'));
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'tireless-trust-'));
    mkdirSync(path.join(root, 'project'));
    file = path.join(root, 'project', 'config.json');
    writeFileSync(file, 'v1');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is unknown until someone decided', () => {
    expect(open().ask(file, 'v1')).toBe('unknown');
    expect(open().list()).toEqual([]);
  });

  it('is valid for exactly this content at exactly this path', () => {
    open().allow(file, 'v1');

    expect(open().ask(file, 'v1')).toBe('allowed');
    expect(open().ask(file, 'v2')).toBe('changed');
    expect(open().ask(`${file}.bak`, 'v1')).toBe('unknown');
  });

  it('sees one file behind all its names', () => {
    symlinkSync(path.join(root, 'project'), path.join(root, 'link'));
    open().allow(path.join(root, 'link', 'config.json'), 'v1');

    expect(open().ask(file, 'v1')).toBe('allowed');
    expect(open().ask(path.join(root, 'project', '..', 'project', 'config.json'), 'v1')).toBe('allowed');
  });

  it('is denied by path, whatever is or was allowed there', () => {
    open().allow(file, 'v1');
    open().deny(file);

    expect(open().ask(file, 'v1')).toBe('denied');
    expect(open().ask(file, 'v2')).toBe('denied');
  });

  it('is unknown again when a denial is lifted', () => {
    open().deny(file);
    open().forgetDenial(file);
    expect(open().ask(file, 'v1')).toBe('unknown');
  });

  it('is given back when the user allows after a denial', () => {
    open().deny(file);
    open().allow(file, 'v2');

    expect(open().ask(file, 'v2')).toBe('allowed');
    expect(open().ask(file, 'v1')).toBe('changed');
  });

  it('does not mix up where a path ends and a content begins', () => {
    open().allow(`${file}a`, 'b');

    expect(open().ask(file, 'ab')).toBe('unknown');
    expect(open().ask(`${file}a\nb`, '')).toBe('unknown');
  });

  it('lists what was decided, by path', () => {
    const other = path.join(root, 'project', 'a\nb');
    open().allow(file, 'v1');
    open().allow(file, 'v2');
    open().deny(other);

    expect(open().list()).toEqual([
      { path: other, answer: 'denied' },
      { path: file, answer: 'allowed' },
      { path: file, answer: 'allowed' },
    ]);
  });

  it('says which file stands in the way', () => {
    writeFileSync(path.join(root, 'home'), '');
    expect(() => open().allow(file, 'v1')).toThrow(path.join(root, 'home'));
  });
});
