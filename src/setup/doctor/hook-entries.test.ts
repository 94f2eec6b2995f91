import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guardFile, guardLine, guardScript } from '../../hosts/guard.ts';
import type { WindowsWay } from '../../hosts/setup.ts';
import { windowsHook } from '../../hosts/windows-call.ts';
import { dialectScript, windowsDialectCall } from '../settings/dialect-lines.ts';
import { entriesIn, filesInScript, filesOf } from './hook-entries.ts';

const HOME = "/home/o'neill/it is";
const NODE = "/opt/my 'node'/bin/node";
const SCRIPT = '/opt/a b/dist/hook.cjs';
const OLD_FORMS = [
  ['claude-code-user', 'claude-code'],
  ['claude-code-project', 'claude-code'],
  ['codex-user', 'codex'],
  ['copilot-user', 'copilot'],
] as const;
const GONE = '{"systemMessage":"not where it was: /x/hook.cjs"}';

function aLine(host: 'claude-code' | 'gemini' = 'claude-code'): string {
  return guardLine(guardFile(HOME, host), 'own', true);
}

describe('filesInScript', () => {
  it('reads the two files of a guard', () => {
    const guarded = { host: 'codex', title: 'Codex', sessionVariable: 'S', drainInput: true } as const;
    const replies = { whenGone: GONE, whenCommandGone: GONE };
    const text = guardScript({ ...guarded, ...replies }, { home: HOME, node: NODE, script: SCRIPT });
    expect(filesInScript(text)).toEqual({ node: NODE, script: SCRIPT });
  });

  it('reads the two files of the line of a dialect', () => {
    const program = { node: NODE, cli: '/opt/a b/dist/cli.js', hook: SCRIPT, plugins: '/p' };
    const text = dialectScript(['athena'], {
      host: 'codex',
      home: HOME,
      project: '/p',
      program,
      drainInput: true,
      whenGone: GONE,
    });
    expect(filesInScript(text)).toEqual({ node: NODE, script: '/opt/a b/dist/cli.js' });
  });
});

describe('filesOf', () => {
  it('reads the two files of every line that an older version wrote', () => {
    for (const [file, host] of OLD_FORMS) {
      const text = readFileSync(new URL(`../../../test/fixtures/long-form/${file}.json`, import.meta.url), 'utf8');
      const entries = entriesIn(JSON.parse(text), host, '@KEPT@');
      const commands = text.match(/"(?:command|bash)": "/gu) ?? [];
      expect(entries).toHaveLength(commands.length);
      const script = file.endsWith('project') ? '/opt/old/dist/cli.js' : '/opt/old/dist/hook.cjs';
      for (const { call } of entries) expect(filesOf(call)).toEqual({ node: '/opt/old/node', script });
    }
  });

  it('knows nothing of other lines', () => {
    expect(filesOf({ line: 'npm test' })).toBeNull();
    expect(filesOf({ line: 'exec cat >/dev/null' })).toBeNull();
  });
});

describe('entriesIn', () => {
  it('finds our lines with their timeouts, whatever the shape, and no line of others', () => {
    const line = aLine();
    const settings = {
      hooks: {
        Stop: [{ hooks: [{ type: 'command', command: line, timeout: 600 }] }, { hooks: [{ command: 'say hello' }] }],
        Other: [{ bash: line, timeoutSec: 5 }, { command: line }],
      },
    };
    expect(entriesIn(settings, 'claude-code', HOME)).toEqual([
      { call: { line }, timeoutSeconds: 600 },
      { call: { line }, timeoutSeconds: 5 },
      { call: { line }, timeoutSeconds: null },
    ]);
    expect(entriesIn(settings, 'codex', HOME)).toEqual([]);
  });

  it('counts in milliseconds where the host does', () => {
    const line = aLine('gemini');
    expect(entriesIn([{ command: line, timeout: 600_000 }], 'gemini', HOME)).toEqual([
      { call: { line }, timeoutSeconds: 600 },
    ]);
  });

  it.each<WindowsWay>([{ shell: 'none' }, { shell: 'powershell' }, { shell: 'powershell', isNamed: true }])(
    'knows what it wrote on Windows (%o)',
    (windows) => {
      const [home, dist] = [String.raw`C:\Users\o'neill b`, String.raw`C:\a b\dist`];
      const program = {
        node: String.raw`C:\n (1)\node.exe`,
        cli: `${dist}\\cli.js`,
        hook: `${dist}\\hook.cjs`,
        plugins: 'p',
      };
      const guarded = { host: 'codex', wake: 'any-session', sessionVariable: null, drainInput: true } as const;
      const dialect = {
        host: 'codex',
        home,
        project: 'p',
        program,
        drainInput: true,
        whenGone: GONE,
      } as const;
      const hook = windowsHook(guarded, { home, node: program.node, script: program.hook }, windows);
      const calls = [hook, windowsDialectCall('athena', dialect, windows)];
      const settings = calls.map(({ line, otherKeys }) => ({ hooks: [{ command: line, ...otherKeys, timeout: 7 }] }));
      const entries = entriesIn(settings, 'codex', home);
      expect(entries.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([7, 7]);
      expect(entries.map(({ call }) => filesOf(call))).toEqual([
        { node: program.node, script: program.hook },
        { node: program.node, script: program.cli },
      ]);
      expect(entriesIn(settings, 'qwen', home)).toEqual([]);
      expect(entriesIn(settings, 'codex', String.raw`C:\Users\other`)).toEqual([]);
    },
  );
});
