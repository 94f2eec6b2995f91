import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { put } from '../../test/support/a-project.ts';
import { guardLine } from '../hosts/guard.ts';
import { hookSecondsIn } from './hook-seconds.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(path.join(tmpdir(), 'tireless-hook-seconds-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const line = (host: string): string => guardLine(`${home}/hooks/${host}.sh`, 'own', false);
const hook = (command: string, timeout?: number) => ({ hooks: [{ type: 'command', command, timeout }] });

function installed(name: string, host: string, project: string | null, settings: unknown): void {
  const file = path.join(home, `${name}-settings.json`);
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  put(home, {
    [`installed/${name}.json`]: JSON.stringify({ host, project, files: [{ file, kind: 'json' }] }),
    [`${name}-settings.json`]: text,
  });
}

it('finds the shortest time of our hooks, and ignores those of others', () => {
  const hooks = { Stop: [hook('echo hi', 1), hook(line('claude-code'), 30)], Start: [hook(line('claude-code'), 600)] };
  installed('a', 'claude-code', null, { hooks });
  expect(hookSecondsIn('claude-code', '/shop', home)).toBe(30);
  expect(hookSecondsIn('codex', '/shop', home)).toBeNull();
});

it('looks at the settings of this project, and of no other', () => {
  installed('a', 'claude-code', '/other', { hooks: { Stop: [hook(line('claude-code'), 5)] } });
  expect(hookSecondsIn('claude-code', '/shop', home)).toBeNull();
  expect(hookSecondsIn('claude-code', '/other', home)).toBe(5);
});

it('counts in the unit of the host', () => {
  installed('a', 'gemini', null, { hooks: { AfterAgent: [hook(line('gemini'), 20_000)] } });
  expect(hookSecondsIn('gemini', '/shop', home)).toBe(20);
});

it.each(['{ // comment\n}', '', 'no'])('knows nothing about settings that it cannot read: %s', (text) => {
  installed('a', 'claude-code', null, text);
  expect(hookSecondsIn('claude-code', '/shop', home)).toBeNull();
  expect(hookSecondsIn('claude-code', '/shop', path.join(home, 'nowhere'))).toBeNull();
});
