import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject, put } from '../../test/support/a-project.ts';
import type { ProtectedFacts } from '../core/evidence.ts';
import { lookAtProtected } from './protected-files.ts';

const GLOBS = ['test/**'];

function acceptedIn(cwd: string): { hash: string; manifest: string } {
  const { hash, manifest } = lookAtProtected(cwd, GLOBS, null);
  return { hash, manifest: manifest ?? 'none' };
}

function look(cwd: string, accepted: ReturnType<typeof acceptedIn>): ProtectedFacts {
  return lookAtProtected(cwd, GLOBS, accepted);
}

describe('protected files', () => {
  it('have a line each in the manifest, sorted, and none is changed before anything was accepted', () => {
    const facts = lookAtProtected(aProject({ 'test/b.ts': 'b', 'test/a.ts': 'a', 'src/c.ts': '' }), GLOBS, null);
    expect(facts.changed).toEqual([]);
    expect(facts.manifest).toMatch(/^ca978112[0-9a-f]{56} {2}test\/a\.ts\n3e23e816[0-9a-f]{56} {2}test\/b\.ts\n$/);
  });

  it('are unchanged without a manifest', () => {
    const cwd = aProject({ 'test/a.ts': 'a' });
    const accepted = acceptedIn(cwd);
    put(cwd, { 'src/other.ts': '' });
    expect(look(cwd, accepted)).toEqual({ hash: accepted.hash, changed: [] });
  });

  it('are told apart as added, removed and modified by their paths', () => {
    const cwd = aProject({ 'test/a.ts': 'a', 'test/b.ts': 'b', 'test/same.ts': 's' });
    const accepted = acceptedIn(cwd);
    put(cwd, { 'test/a.ts': 'A', 'test/new\nline.ts': '' });
    rmSync(path.join(cwd, 'test/b.ts'));
    const facts = look(cwd, accepted);
    expect(facts.changed).toEqual(['test/a.ts', 'test/b.ts', String.raw`test/new\nline.ts`]);
    expect(facts.hash).not.toBe(accepted.hash);
    expect(look(cwd, { hash: facts.hash, manifest: facts.manifest ?? '' })).toEqual({ hash: facts.hash, changed: [] });
  });

  it('are changed when the folder or the whole project is gone', () => {
    const cwd = aProject({ 'test/a.ts': 'a' });
    const accepted = acceptedIn(cwd);
    rmSync(path.join(cwd, 'test'), { recursive: true });
    expect(look(cwd, accepted).changed).toEqual(['test/a.ts']);
    expect(look(path.join(cwd, 'gone'), accepted).changed).toEqual(['test/a.ts']);
  });

  it('are changed when what a link leads to changes, or the link', () => {
    const cwd = aProject({ 'real.ts': 'a', 'other.ts': 'a', 'test/b.ts': '' });
    symlinkSync('../real.ts', path.join(cwd, 'test/a.ts'));
    const accepted = acceptedIn(cwd);
    put(cwd, { 'real.ts': 'b' });
    expect(look(cwd, accepted).changed).toEqual(['test/a.ts']);
    put(cwd, { 'real.ts': 'a' });
    expect(look(cwd, accepted).changed).toEqual([]);
    rmSync(path.join(cwd, 'test/a.ts'));
    symlinkSync('../other.ts', path.join(cwd, 'test/a.ts'));
    expect(look(cwd, accepted).changed).toEqual(['test/a.ts']);
  });

  it.skipIf(process.getuid?.() === 0)('are changed when they can no longer be read', () => {
    const cwd = aProject({ 'test/a.ts': 'a' });
    const accepted = acceptedIn(cwd);
    chmodSync(path.join(cwd, 'test/a.ts'), 0);
    expect(look(cwd, accepted).changed).toEqual(['test/a.ts']);
  });

  it('name a bounded number of changes', () => {
    const cwd = aProject({ 'test/a.ts': 'a' });
    const accepted = acceptedIn(cwd);
    put(cwd, Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`test/${index}.ts`, ''])));
    expect(look(cwd, accepted).changed).toHaveLength(101);
    expect(look(cwd, accepted).changed.at(-1)).toBe('(and 50 more)');
  });
});
