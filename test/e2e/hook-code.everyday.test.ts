/** How the built hook is loaded: the code that it keeps, and what it never loads. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aRepository } from '../support/a-project.ts';
import type { ArmedSession } from '../support/an-armed-session.ts';
import { anArmedSession } from '../support/an-armed-session.ts';
import { commit } from '../support/drafts.ts';
import { aCopyOfTheHook } from '../support/hook-copy.ts';

const DIST = path.join(import.meta.dirname, '../../dist');

function promptIn(stdout: string): string {
  return JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

describe('the compiled code', () => {
  const kept = (dist: string): readonly string[] => readdirSync(dist).filter((name) => name.endsWith('.code'));

  const codeIn = (dist: string): Buffer => readFileSync(path.join(dist, kept(dist)[0] ?? ''));

  it('is kept beside the hook by the first stops, and used from then on', () => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession();
    expect(kept(dist)).toEqual([]);
    for (const word of ['one', 'two', 'three']) session.stop({ last_assistant_message: word }, { dist });
    const { mtimeMs } = statSync(path.join(dist, kept(dist)[0] ?? ''));
    expect(promptIn(session.stop({ last_assistant_message: 'four' }, { dist }).stdout)).toContain('iteration 5');
    expect(statSync(path.join(dist, kept(dist)[0] ?? '')).mtimeMs).toBe(mtimeMs);
  });

  it('contains what stops need, also when a tool request came first and the first stop had no transcript', () => {
    const [dist, other] = [aCopyOfTheHook(), aCopyOfTheHook()];
    const session = anArmedSession();
    const tool = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} };
    const transcript = path.join(session.home, 'transcript.jsonl');
    const message = { role: 'assistant', id: 'm1', content: [{ type: 'text', text: 'still at it' }] };
    writeFileSync(transcript, `${JSON.stringify({ type: 'assistant', message })}\n`);
    const sizes = [tool, tool, { last_assistant_message: 'one' }, { transcript_path: transcript }].map((fields) => {
      session.stop(fields, { dist });
      return codeIn(dist).length;
    });
    expect(sizes[1]).toBe(sizes[0]);
    expect(sizes[2]).toBeGreaterThan(sizes[1] ?? 0);
    expect(sizes[3]).toBeGreaterThan(sizes[2] ?? 0);
    session.stop({ transcript_path: transcript }, { dist: other });
    expect(sizes[3]).toBeGreaterThanOrEqual(codeIn(other).length);
  });

  it('is made anew when it is damaged, and thrown away with the program it was made from', () => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession();
    session.stop({ last_assistant_message: 'one' }, { dist });
    const [name = ''] = kept(dist);
    const { size } = statSync(path.join(dist, name));
    writeFileSync(path.join(dist, name), 'damaged');
    expect(promptIn(session.stop({ last_assistant_message: 'two' }, { dist }).stdout)).toContain('iteration 3');
    expect(statSync(path.join(dist, name)).size).toBeGreaterThan(size / 2);
    const small = path.join(dist, 'hook.cjs');
    writeFileSync(small, readFileSync(small, 'latin1').replace(/\.hook-[0-9a-f]{16}/u, '.hook-0123456789abcdef'));
    session.stop({ last_assistant_message: 'three' }, { dist });
    expect(kept(dist)).toEqual([expect.stringContaining('0123456789abcdef')]);
  });
});

/** What makes it fast, as far as that is no matter of time. */
describe('the fast path', () => {
  const watched = (
    session: ArmedSession,
    fields: Readonly<Record<string, unknown>>,
  ): { loaded: string[]; flushes: number } => {
    const preload = path.join(session.home, 'watch.cjs');
    const report = path.join(session.home, 'watch.json');
    writeFileSync(
      preload,
      `const fs = require('fs'); let flushes = 0; const before = new Set(process.moduleLoadList);
       for (const name of ['fsyncSync', 'fdatasyncSync']) { const real = fs[name]; fs[name] = (fd) => { flushes += 1; return real(fd); }; }
       const report = () => fs.writeFileSync(${JSON.stringify(report)}, JSON.stringify({ loaded: process.moduleLoadList.filter((name) => !before.has(name)), flushes }));
       process.on('exit', report);`,
    );
    // The first one keeps the compiled code.
    session.stop({ ...fields, stop_hook_active: false });
    session.stop(fields, { preload });
    return JSON.parse(readFileSync(report, 'utf8'));
  };
  const COSTLY = /^NativeModule (?:crypto|child_process|os|worker_threads|stream|internal\/(?:streams|crypto).*)$/u;

  it('loads no module of Node that a bare one has not', () => {
    const { loaded } = watched(anArmedSession(), { last_assistant_message: 'still at it' });
    expect(loaded.filter((name) => COSTLY.test(name))).toEqual([]);
  });

  it('would be seen to load one', () => {
    const limits = { ...anArmedSession().loaded().spec.limits, noProgressMax: 1 };
    const { loaded } = watched(anArmedSession({ limits }, aRepository()), { last_assistant_message: 'still at it' });
    expect(loaded).toContain('NativeModule child_process');
  });

  it('flushes once, whatever the agent said', () => {
    for (const message of ['still at it', '漢字'.repeat(3000), '\u0001"\\'.repeat(2000)])
      expect(watched(anArmedSession(), { last_assistant_message: message }).flushes).toBe(1);
  });

  it('is one small file and one that is compiled once', () => {
    expect(statSync(path.join(DIST, 'hook.cjs')).size).toBeLessThan(2 * 1024);
    expect(statSync(path.join(DIST, 'hook-fast.cjs')).size).toBeLessThan(104 * 1024);
    const main = readFileSync(path.join(DIST, 'hook-fast.cjs'), 'utf8');
    const asked = [...main.matchAll(/require\(["'`](node:[^"'`]+)/gu)].map(([, name]) => name);
    // The system is asked for its name only where there is no other for the boot, and for a home only where a path begins with `~`.
    expect(new Set(asked)).toEqual(new Set(['node:fs', 'node:path', 'node:os']));
  });

  it.each([
    { what: 'another message', words: 'six', before: () => {} },
    { what: 'the same message again', words: 'three', before: () => {} },
    {
      what: 'a message after an entry of another process',
      words: 'six',
      before: (session: ArmedSession) => commit(session.store, session.loaded(), { kind: 'user-spoke' }),
    },
  ])('answers $what without the file of what a stop rarely needs', ({ words, before }) => {
    const dist = aCopyOfTheHook();
    const session = anArmedSession();
    for (const word of ['one', 'two', 'three']) session.stop({ last_assistant_message: word }, { dist });
    rmSync(path.join(dist, 'hook-cold.cjs'));
    before(session);
    expect(session.stop({ last_assistant_message: words }, { dist })).toMatchObject({ code: 0, stderr: '' });
    expect(session.loaded().state.counted).toBe(4);
  });

  it('loses no stop of many at once, some of which are killed', async () => {
    const session = anArmedSession();
    const running = Array.from({ length: 24 }, (_, index) =>
      session.starts({ last_assistant_message: `stop ${index}` }),
    );
    for (const [index, one] of running.entries()) if (index % 4 === 3) setTimeout(one.kill, 20 * index);
    const replies = await Promise.all(running.map((one) => one.end));
    const iterations = replies.flatMap(({ stdout }) => /\[tireless:(\d+)\]/u.exec(stdout)?.[1] ?? []);
    const granted = session
      .entries()
      .flatMap(({ decision }) => (decision.kind === 'continue' ? [String(decision.iteration)] : []));
    expect(iterations.length).toBeGreaterThan(10);
    expect(new Set(iterations).size).toBe(iterations.length);
    expect(granted).toEqual(expect.arrayContaining(iterations));
  });
});
