/** The line is run by real shells: only they know what it means. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GuardedHook, GuardedHost } from './guard.ts';
import { guardFile, guardLine, guardScript, hookName, scriptOf, WAKE_WORD } from './guard.ts';

/** One hook of one host. */
type Guarded = GuardedHook & GuardedHost;

const NASTY = `it's a "home" $(touch pwned) \`x\` %h !`;
const SHELLS = ['/bin/sh', '/bin/bash', '/bin/dash'].filter((shell) => existsSync(shell));

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tireless-guard-'));
  home = path.join(root, NASTY);
  mkdirSync(home);
  // Says what it was given, and proves by it that it ran.
  writeFileSync(
    path.join(root, 'hook.cjs'),
    'const seen = [process.argv.slice(2), process.env.NODE_EXTRA_CA_CERTS, process.env.NODE_OPTIONS, require("fs").readFileSync(0, "utf8")]; console.log(JSON.stringify(seen));',
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const GONE = `{"systemMessage":"it's gone: \\"tireless\\" $(touch pwned) %s \\\\n"}`;
const own: Guarded = {
  host: 'claude-code',
  wake: 'own-session',
  sessionVariable: 'SESSION',
  drainInput: false,
  title: 'Claude Code',
  whenGone: GONE,
  whenCommandGone: GONE,
};
const any: Guarded = {
  host: 'codex',
  title: 'Codex',
  wake: 'any-session',
  sessionVariable: null,
  drainInput: true,
  whenGone: GONE,
  whenCommandGone: GONE,
};

/** Writes the script, and answers the line that reads it. */
function lineOf(guarded: Guarded, parts: { readonly node?: string; readonly script?: string } = {}): string {
  const file = guardFile(home, guarded.host);
  mkdirSync(path.dirname(file), { recursive: true });
  const place = { home, node: process.execPath, script: path.join(root, 'hook.cjs'), ...parts };
  writeFileSync(file, guardScript(guarded, place));
  return guardLine(file, hookName(guarded), guarded.drainInput);
}

function arm(host: string, session: string, mark: 'armed' | 'timed' = 'armed'): void {
  mkdirSync(path.join(home, mark, host), { recursive: true });
  writeFileSync(path.join(home, mark, host, session), '');
}

function run(
  shell: string,
  guarded: Guarded,
  session?: string,
  input = 'the payload',
): { code: number | null; stdout: string; stderr: string } {
  const line = lineOf(guarded);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const ran = spawnSync(shell, ['-c', line], {
    cwd: root,
    input,
    encoding: 'utf8',
    env: { ...env, NODE_EXTRA_CA_CERTS: '/nowhere', ...(session === undefined ? {} : { SESSION: session }) },
  });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

const SILENT = { code: 0, stdout: '', stderr: '' };

it('has a shell to be run by', () => {
  expect(SHELLS).toContain('/bin/sh');
});

describe('the line in the settings', () => {
  it('is short, and names its script whatever is in the path', () => {
    const file = guardFile('/home/ada/.local/state/tireless', 'claude-code');
    const line = guardLine(file, 'own', false);
    expect(line).toBe(
      'on=own tireless=/home/ada/.local/state/tireless/hooks/claude-code.sh; [ -r $tireless ] && . $tireless; exit 0',
    );
    for (const each of [file, guardFile(home, 'codex')])
      for (const before of ['', ':; ', 'nice '])
        expect(scriptOf(`${before}${guardLine(each, 'tool', true)}`)).toBe(each);
    for (const other of ['npm test', 'on=x tireless=y', '. /x/hooks/codex.sh', "on=own tireless='open"])
      expect(scriptOf(other)).toBeUndefined();
  });
});

describe.each(SHELLS)('the guard in %s', (shell) => {
  const woken = (host: string, ...words: string[]): string => wokenBy('the payload', host, ...words);
  const wokenBy = (payload: string, host: string, ...words: string[]): string =>
    `${JSON.stringify([[host, home, ...words], '', '', payload])}\n`;

  it('wakes the session a loop was armed for, with every byte of the paths', () => {
    arm('claude-code', 'session-1');
    expect(run(shell, own, 'session-1')).toEqual({ code: 0, stdout: woken('claude-code'), stderr: '' });
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
  });

  it('leaves every other session alone, and one without a name', () => {
    arm('claude-code', 'session-1');
    expect(run(shell, own, 'session-2')).toEqual(SILENT);
    expect(run(shell, own, '')).toEqual(SILENT);
    expect(run(shell, own)).toEqual(SILENT);
  });

  it('takes a session id for a name and nothing more', () => {
    arm('claude-code', 'session-1');
    const odd = [
      '*',
      'session-1" ] || touch pwned #',
      '$(touch pwned)',
      '`touch pwned`',
      '-e x -o',
      'a\nb',
      '; touch pwned',
    ];
    // Their marks have escaped names, so any loop wakes them.
    for (const id of odd)
      expect({ id, ...run(shell, own, id) }).toEqual({ id, ...SILENT, stdout: woken('claude-code') });
    rmSync(path.join(home, 'armed', 'claude-code', 'session-1'));
    for (const id of odd) expect({ id, ...run(shell, own, id) }).toEqual({ id, ...SILENT });
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
  });

  it('wakes for any session while some loop of this host is armed', () => {
    expect(run(shell, any)).toEqual(SILENT);
    arm('gemini', 'session-1');
    expect(run(shell, any)).toEqual(SILENT);
    arm('codex', 'session-1');
    expect(run(shell, any).stdout).toBe(woken('codex'));
    rmSync(path.join(home, 'armed', 'codex', 'session-1'));
    expect(run(shell, any)).toEqual(SILENT);
  });

  it('wakes for a tool that names tireless or its home, and hands the payload over byte for byte', () => {
    const [ownTool, anyTool]: Guarded[] = [own, any].map((guarded) => ({ ...guarded, wake: 'tool-session' }));
    if (ownTool === undefined || anyTool === undefined) throw new Error('two guards');
    const end = home.split('/').slice(-2).join('/');
    const named = ['{"command":"tireless approve"}', '"$TIRELESS_HOME"', `rm -r ~/${end}/x`, `%s \\n ${end}`];
    for (const payload of named) expect(run(shell, ownTool, 'session-1', payload)).toEqual(SILENT);
    for (const host of ['claude-code', 'codex']) arm(host, 'session-1');
    for (const payload of named) {
      expect(run(shell, ownTool, 'session-1', payload).stdout).toBe(wokenBy(payload, 'claude-code'));
      expect(run(shell, anyTool, undefined, payload).stdout).toBe(wokenBy(payload, 'codex'));
      expect(run(shell, ownTool, 'session-2', payload)).toEqual(SILENT);
    }
    for (const payload of ['{"command":"npm test"}', 'tire less', 'x'.repeat(300_000)])
      expect([run(shell, ownTool, 'session-1', payload), run(shell, anyTool, undefined, payload)]).toEqual([
        SILENT,
        SILENT,
      ]);
    expect(existsSync(path.join(root, 'pwned'))).toBe(false);
  });

  it('wakes for every tool only where the loop has a time, whatever else is armed', () => {
    const [ownTool, anyTool]: Guarded[] = [own, any].map((guarded) => ({ ...guarded, wake: 'tool-session' }));
    if (ownTool === undefined || anyTool === undefined) throw new Error('two guards');
    for (const host of ['claude-code', 'codex']) arm(host, 'session-1');
    expect([run(shell, ownTool, 'session-1'), run(shell, anyTool)]).toEqual([SILENT, SILENT]);
    for (const host of ['claude-code', 'codex']) arm(host, 'session-1', 'timed');
    expect(run(shell, ownTool, 'session-1').stdout).toBe(woken('claude-code'));
    expect(run(shell, ownTool, 'session-2')).toEqual(SILENT);
    expect(run(shell, ownTool, '')).toEqual(SILENT);
    expect(run(shell, anyTool).stdout).toBe(woken('codex'));
  });

  it('always wakes where it is asked to, and tells a failed turn to wait', () => {
    expect(run(shell, { ...own, wake: 'always' }).stdout).toBe(woken('claude-code'));
    arm('claude-code', 'session-1');
    const failure: Guarded = { ...own, outlives: true, words: [WAKE_WORD] };
    expect(run(shell, failure, 'session-1').stdout).toBe(woken('claude-code', WAKE_WORD));
  });

  it('lets the agent stop without a word when the script is gone or cannot be read, and reads the input where the host wants that', () => {
    for (const guarded of [own, any]) {
      const line = lineOf(guarded);
      arm(guarded.host, 'session-1');
      const file = guardFile(home, guarded.host);
      for (const spoil of [() => rmSync(file), () => mkdirSync(file)]) {
        spoil();
        const env = { ...process.env, SESSION: 'session-1' };
        const input = 'x'.repeat(300_000);
        const ran = spawnSync(shell, ['-c', line], { cwd: root, input, encoding: 'utf8', env });
        const isUnread = guarded.drainInput && ran.error !== undefined;
        expect({ code: ran.status, stdout: ran.stdout, isUnread }).toEqual({ code: 0, stdout: '', isUnread: false });
      }
      rmSync(file, { recursive: true });
    }
  });

  it('tells it once more when the host kills what it started, and not when it has been heard', () => {
    arm('claude-code', 'session-1');
    const told = path.join(root, 'told');
    const hook = readFileSync(path.join(root, 'hook.cjs'), 'utf8');
    writeFileSync(
      path.join(root, 'hook.cjs'),
      `const fs = require('fs'); const first = !fs.existsSync(${JSON.stringify(told)}); fs.appendFileSync(${JSON.stringify(told)}, 'x'); if (first) { process.kill(process.ppid, 'SIGTERM'); process.kill(process.pid, 'SIGTERM'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000); } ${hook}`,
    );
    const outliving: Guarded = { ...own, outlives: true };
    expect(run(shell, outliving, 'session-1').stdout).toBe(woken('claude-code'));
    expect(readFileSync(told, 'utf8')).toBe('xx');
    expect(run(shell, outliving, 'session-1').stdout).toBe(woken('claude-code'));
    expect(readFileSync(told, 'utf8')).toBe('xxx');
    expect(run(shell, outliving, 'session-2')).toEqual(SILENT);
  });

  describe.each(['node', 'script'] as const)('where the %s is gone', (gone) => {
    const parts = { node: process.execPath, script: path.join(import.meta.dirname, 'guard.ts') };
    const lost = (
      guarded: Guarded,
      session?: string,
      prompt = '',
    ): { code: number | null; stdout: string; stderr: string } => {
      const line = lineOf(guarded, { ...parts, [gone]: path.join(root, `${NASTY} moved`) });
      const env = { ...process.env, ...(session === undefined ? {} : { SESSION: session }) };
      const ran = spawnSync(shell, ['-c', line], {
        cwd: root,
        input: `${'x'.repeat(200_000)}${prompt}`,
        encoding: 'utf8',
        env,
      });
      if (guarded.drainInput) expect(ran.error).toBeUndefined();
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    };
    const TOLD = { code: 0, stdout: `${GONE}\n`, stderr: '' };

    it('lets the agent stop and reports it, only to the session of a loop', () => {
      expect([lost(own, 'session-1'), lost(any)]).toEqual([SILENT, SILENT]);
      for (const host of ['claude-code', 'codex']) arm(host, 'session-1');
      const outliving: Guarded = { ...own, outlives: true };
      expect([lost(own, 'session-1'), lost(outliving, 'session-1'), lost(any)]).toEqual([TOLD, TOLD, TOLD]);
      expect(lost(own, 'session-2')).toEqual(SILENT);
    });

    it('answers a command of ours, and no other prompt', () => {
      const always: Guarded = { ...any, wake: 'always' };
      arm('codex', 'session-1');
      expect(lost(always)).toEqual(SILENT);
      for (const prompt of ['"prompt":"/ralph \\"it\\" $(touch pwned) `x`"', '/cancel-ralph', '\u00ff $ralph-status'])
        expect(lost(always, undefined, prompt)).toEqual(TOLD);
      expect(existsSync(path.join(root, 'pwned'))).toBe(false);
    });

    it('refuses a command that was typed, and only tells a prompt that speaks of one', () => {
      const always: Guarded = { ...any, wake: 'always', whenCommandGone: 'REFUSED' };
      for (const typed of [
        '{"prompt":"/ralph it"}',
        '{"prompt":"$cancel-ralph"}',
        String.raw`{"prompt":"<system-notification>\n\n/ralph-status"}`,
        String.raw`{"prompt":"The user explicitly invoked the \"/ralph\" skill."}`,
      ])
        expect(lost(always, undefined, typed).stdout).toBe('REFUSED\n');
      expect(lost(always, undefined, '{"prompt":"what does /ralph do?"}')).toEqual(TOLD);
    });

    it('says nothing before each tool', () => {
      for (const host of ['claude-code', 'codex']) arm(host, 'session-1', 'timed');
      const [ownTool, anyTool]: Guarded[] = [own, any].map((guarded) => ({ ...guarded, wake: 'tool-session' }));
      if (ownTool === undefined || anyTool === undefined) throw new Error('two guards');
      expect([lost(ownTool, 'session-1'), lost(anyTool)]).toEqual([SILENT, SILENT]);
    });
  });

  it.each([
    { drainInput: true, leaves: 'reads its input to the end' },
    { drainInput: false, leaves: 'leaves its input unread' },
  ])('$leaves without a loop when drainInput is $drainInput', ({ drainInput }) => {
    const line = lineOf({ ...own, drainInput });
    const rest = path.join(root, 'rest');
    // What the guard did not read is left in the file for the next in line: both share one place in it.
    writeFileSync(path.join(root, 'input'), 'a payload of some length');
    const ran = spawnSync(shell, ['-c', `{ ( ${line} ); cat > '${rest}'; } < '${path.join(root, 'input')}'`]);
    expect(ran.status).toBe(0);
    expect(readFileSync(rest, 'utf8')).toBe(drainInput ? '' : 'a payload of some length');
  });
});
