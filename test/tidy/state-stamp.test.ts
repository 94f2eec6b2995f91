import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { aProject, put } from '../support/a-project.ts';

type Tool = { readonly stateStamp: (root?: string) => string };

const TOOL = path.join(import.meta.dirname, '../../tools/state-stamp.mjs');
const { stateStamp } = (await import(pathToFileURL(TOOL).href)) as Tool;

const DIST = path.join(import.meta.dirname, '../../dist');

it('the command line, the library and the hook carry the stamp of the core they were built with', () => {
  const stamped = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?js$/u.test(file))
    .flatMap((file) => {
      const found = readFileSync(path.join(DIST, file), 'utf8').match(/\b\d+\.\d+\.\d+-[0-9a-f]{16}\b/gu) ?? [];
      return found.map((stamp) => ({ end: path.extname(file), stamp }));
    });
  expect(new Set(stamped.map(({ end }) => end))).toEqual(new Set(['.js', '.cjs']));
  expect(new Set(stamped.map(({ stamp }) => stamp))).toEqual(new Set([stateStamp()]));
});

it('a stamp changes with the version and with every source of the core, and with nothing else', () => {
  const root = aProject({ 'package.json': '{"version":"1.0.0"}', 'src/core/a.ts': 'a', 'src/core/b/c.ts': 'c' });
  const seen = [stateStamp(root)];
  const after = (files: Readonly<Record<string, string>>): string => {
    put(root, files);
    return stateStamp(root);
  };
  for (const files of [
    { 'package.json': '{"version":"1.0.1"}' },
    { 'src/core/a.ts': 'b' },
    { 'src/core/b/c.ts': 'd' },
    { 'src/core/d.ts': '' },
  ]) {
    const stamp = after(files);
    expect(seen).not.toContain(stamp);
    seen.push(stamp);
  }
  expect(after({ 'src/core/a.test.ts': 'a', 'src/views/a.ts': 'a' })).toBe(seen.at(-1));
});
