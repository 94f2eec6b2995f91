import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../../test/support/all-dialects.ts';
import { aProject, put } from '../../../test/support/a-project.ts';
import type { DialectName } from '../../dialects/names.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { dialectScript } from './dialect-lines.ts';
import { dialectGuardCall } from './guard-files.ts';
import { isOurCall } from './our-calls.ts';

/** What the hook runs, without a file in between. */
function dialectLine(name: DialectName, place: ReturnType<typeof aPlace>, on: string = name): string {
  return `on=${on}\n${dialectScript([name], place)}`;
}

const GONE = '{"systemMessage":"it is gone"}';
const NODE = '#!/bin/sh\necho "$TIRELESS_HOME" "$@"\n';

function aPlace(folder: string, host: 'claude-code' | 'codex') {
  const node = path.join(folder, 'bin/my node');
  const cli = path.join(folder, 'dist/cli.js');
  put(folder, { 'bin/my node': NODE, 'dist/cli.js': '' });
  chmodSync(node, 0o755);
  const program = { node, cli, hook: '/x/hook.cjs', plugins: '/x/plugins' };
  const { projectVariable, taskList } = HOSTS[host].install;
  return {
    host,
    sessionVariable: HOSTS[host].capabilities.sessionVariable,
    home: "/home/o'neill",
    project: folder,
    projectVariable,
    taskList,
    program,
    drainInput: true,
    whenGone: GONE,
  };
}

function said(line: string, cwd: string, env: Record<string, string> = {}): string {
  return spawnSync('/bin/sh', ['-c', line], { cwd, env, input: 'payload', encoding: 'utf8' }).stdout;
}

describe('dialectLine', () => {
  it('looks where each dialect keeps its files', async () => {
    const list = (): readonly string[] => ['s1', 'RALPH_1.json'];
    for (const name of DIALECT_NAMES) {
      const files = (await samplesOf(name)).dialect.filesFor({ session: 's1', list });
      const shapes = DIALECTS[name].files.map(
        (shape) => new RegExp(`^${shape.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]+')}$`, 'u'),
      );
      expect(files.length).toBeGreaterThan(0);
      expect(
        files
          .filter((file) => file.endsWith('.json') || file.endsWith('.md'))
          .every((file) => shapes.some((shape) => shape.test(file))),
      ).toBe(true);
    }
  });

  it.each(DIALECT_NAMES)('wakes %s for a session whose loop is open, also when its file was deleted', (name) => {
    const folder = aProject();
    const home = path.join(folder, 'my home');
    const place = { ...aPlace(folder, 'claude-code'), home };
    const line = dialectLine(name, place);
    put(home, { 'armed/claude-code/s1': '' });
    expect(said(line, folder, { CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: 's1' })).toContain(
      `${name} --reply`,
    );
    for (const id of ['7C1A9E0B-1111-4222-8333-ABCDEF012345', 'a.b *', '-x', 'con', 'x'.repeat(101)])
      expect(said(line, folder, { CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: id })).toContain('--reply');
    for (const env of [{ CLAUDE_CODE_SESSION_ID: 's2' }, { CLAUDE_CODE_SESSION_ID: '' }, {}])
      expect(said(line, folder, { CLAUDE_PROJECT_DIR: folder, ...env })).toBe('');
    rmSync(path.join(home, 'armed/claude-code/s1'));
    for (const id of ['s1', '7C1A', 'a.b *'])
      expect(said(line, folder, { CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: id })).toBe('');
  });

  it.each(DIALECT_NAMES)('wakes %s for a deleted file where the host names no session', (name) => {
    const folder = aProject();
    const home = path.join(folder, 'my home');
    const line = dialectLine(name, { ...aPlace(folder, 'codex'), home });
    expect(said(line, folder)).toBe('');
    put(home, { 'armed/codex/s1': '' });
    expect(said(line, folder)).toContain(`${name} --reply`);
    rmSync(path.join(home, 'armed/codex/s1'));
    expect(said(line, folder)).toBe('');
  });

  it.each<[DialectName, string]>([
    ['stravinsky', '.stravinsky/continuation-loop.md'],
    ['athena', '.athena/sessions/s 1/loop-tracker.md'],
    ['ralph-wiggum', 'AI_Employee_Vault/Ralph_State/RALPH_x y.json'],
  ])(
    'wakes for a file of %s, in any folder, and only then; and reports it when there is nothing to wake',
    (name, file) => {
      for (const host of ['claude-code', 'codex'] as const) {
        const folder = aProject();
        const project = path.join(folder, "it's $HOME");
        put(project, { 'a.txt': '' });
        const place = { ...aPlace(folder, host), project };
        const line = dialectLine(name, place);
        const env = { CLAUDE_PROJECT_DIR: project };
        expect(said(line, folder, env)).toBe('');
        put(project, { [file]: '' });
        expect(said(line, folder, env)).toBe(
          `/home/o'neill ${place.program.cli} hook ${host} --dialect ${name} --reply json\n`,
        );
        rmSync(place.program.cli);
        expect(said(line, folder, env)).toBe(`${GONE}\n`);
      }
    },
  );

  it('wakes at a prompt for the tasks that Claude Code keeps for the session, and at no other event', () => {
    const folder = aProject();
    const config = path.join(folder, "it's claude");
    const place = aPlace(folder, 'claude-code');
    const [line, atPrompt] = [dialectLine('stravinsky', place), dialectLine('stravinsky', place, 'stravinsky-prompt')];
    const env = { CLAUDE_PROJECT_DIR: folder, CLAUDE_CONFIG_DIR: config, CLAUDE_CODE_SESSION_ID: 's 1' };
    const woken = expect.stringContaining('--dialect stravinsky') as string;
    put(config, { 'tasks/other/1.json': '{}' });
    expect(said(atPrompt, folder, env)).toBe('');
    put(config, { 'tasks/s 1/1.json': '{}' });
    expect(said(atPrompt, folder, env)).toEqual(woken);
    expect(said(line, folder, env)).toBe('');
    expect(said(atPrompt, folder, { ...env, CLAUDE_CODE_TASK_LIST_ID: 'empty' })).toBe('');
    expect(said(atPrompt, folder, { ...env, CLAUDE_CODE_TASK_LIST_ID: 'other' })).toEqual(woken);
    put(folder, { '.claude/tasks/s 1/1.json': '{}' });
    expect(said(atPrompt, folder, { HOME: folder, CLAUDE_CODE_SESSION_ID: 's 1' })).toEqual(woken);
    expect(said(atPrompt, folder, { HOME: folder })).toBe('');
    put(folder, { '.stravinsky/todos.json': '[]' });
    expect(said(atPrompt, folder, env)).toEqual(woken);
    const promptLine = (name: DialectName, host: 'claude-code' | 'codex'): string | undefined =>
      dialectGuardCall(name, aPlace(folder, host), 'turn').atPrompt?.line;
    expect(promptLine('stravinsky', 'claude-code')).toMatch(/^on=stravinsky-prompt /u);
    expect([promptLine('athena', 'claude-code'), promptLine('stravinsky', 'codex')]).toEqual([undefined, undefined]);
  });

  it('is known by its text, for its own host and home only', () => {
    const { line } = dialectGuardCall('stravinsky', aPlace(aProject(), 'codex'), 'turn');
    expect(isOurCall({ line }, 'codex', "/home/o'neill")).toBe(true);
    expect(isOurCall({ line }, 'qwen', "/home/o'neill")).toBe(false);
    expect(isOurCall({ line }, 'codex', '/home/other')).toBe(false);
    expect(isOurCall({ line: 'node hook.cjs' }, 'codex', '/home/other')).toBe(false);
  });
});
