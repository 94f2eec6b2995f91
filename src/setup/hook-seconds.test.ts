import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { put } from '../../test/support/a-project.ts';
import { guardLine } from '../hosts/guard.ts';
import type { HostId } from '../hosts/ids.ts';
import type { HookPlace } from './hook-seconds.ts';
import { hookSecondsIn } from './hook-seconds.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(path.join(tmpdir(), 'tireless-hook-seconds-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const line = (host: string): string => guardLine(`${home}/hooks/${host}.sh`, 'own', false);
const hook = (command: string, timeout?: number) => ({ hooks: [{ type: 'command', command, timeout }] });

function installed(host: string, project: string | null, settings: unknown, kind = 'json'): void {
  const file = path.join(home, `a-settings.json`);
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  put(home, {
    [`installed/a.json`]: JSON.stringify({ host, project, files: [{ file, kind }] }),
    [`a-settings.json`]: text,
  });
}

const at = (host: HostId, event = 'Stop', project = '/shop'): HookPlace => ({ host, event, project });

it('finds the shortest time of our hooks for the event, and ignores those of others', () => {
  const own = line('claude-code');
  const hooks = { Stop: [hook('echo hi', 1), hook(own, 40), hook(own, 30)], PreToolUse: [hook(own, 5)] };
  installed('claude-code', null, { hooks });
  expect(hookSecondsIn(at('claude-code'), home)).toBe(30);
  expect(hookSecondsIn(at('claude-code', 'PreToolUse'), home)).toBe(5);
  expect(hookSecondsIn(at('claude-code', 'SessionStart'), home)).toBeNull();
  expect(hookSecondsIn(at('codex'), home)).toBeNull();
});

it('looks at the settings of this project, and of no other', () => {
  installed('claude-code', '/other', { hooks: { Stop: [hook(line('claude-code'), 5)] } });
  expect(hookSecondsIn(at('claude-code'), home)).toBeNull();
  expect(hookSecondsIn(at('claude-code', 'Stop', '/other'), home)).toBe(5);
});

it('counts in the unit of the host', () => {
  installed('gemini', null, { hooks: { AfterAgent: [hook(line('gemini'), 20_000)] } });
  expect(hookSecondsIn(at('gemini', 'AfterAgent'), home)).toBe(20);
});

it.each([
  ['droid', 'Stop', 60],
  ['gemini', 'AfterAgent', 60],
  ['copilot', 'Stop', 30],
] as const)('an entry without a time has that of the host: %s', (host, event, seconds) => {
  installed(host, null, { hooks: { [event]: [hook(line(host))] } });
  expect(hookSecondsIn(at(host, event), home)).toBe(seconds);
});

it('reads a file that is ours alone', () => {
  const hooks = { Stop: [{ type: 'command', bash: line('copilot'), timeoutSec: 20 }] };
  installed('copilot', null, { version: 1, hooks }, 'own-file');
  expect(hookSecondsIn(at('copilot'), home)).toBe(20);
});

it.each(['{ // comment\n}', '', 'no'])('knows nothing about settings that it cannot read: %s', (text) => {
  installed('claude-code', null, text);
  expect(hookSecondsIn(at('claude-code'), home)).toBeNull();
  expect(hookSecondsIn(at('claude-code'), path.join(home, 'nowhere'))).toBeNull();
});
