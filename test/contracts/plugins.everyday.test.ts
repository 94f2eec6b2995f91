import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { LoopId } from '../../src/core/loop.ts';
import { bindSession, disarm } from '../../src/stores/sessions.ts';

type Link = {
  readonly isArmed: (session: string) => boolean;
  readonly isToolAsked: (session: string, input: unknown) => boolean;
  readonly isAnyArmed: () => boolean;
  readonly wake: (payload: object, heard: (answer: { notice: string | null }) => void) => Promise<string | null>;
};
type Ask = { readonly connect: (host: string, place: { node: string; script: string; home: string }) => Link };

const LOOP = '261115-1954-k3x9q2' as LoopId;
const file = new URL('../../plugins/ask.js', import.meta.url).href;

it('finds the loop of a session where the store has put it, whatever the session is called', async () => {
  const { connect } = (await import(file)) as Ask;
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-plugins-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { isArmed, isToolAsked, isAnyArmed } = connect('opencode', { node: 'node', script: 'hook.cjs', home });
  const isTimed = (id: string) => isToolAsked(id, { command: 'ls' });
  const isNamed = (id: string) => isToolAsked(id, { command: 'x; tireless approve' });
  expect({ any: isAnyArmed(), one: isArmed('ses_e1e400689ffeGNL4sElUgVB1Ia') }).toEqual({ any: false, one: false });
  const odd = fc.constantFrom('ses_e1e400689ffeGNL4sElUgVB1Ia', '-x', 'con', 'lpt1', '../..', 'é🧨', 'A'.repeat(300));
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ minLength: 1 })), fc.boolean(), (id, hasTime) => {
      const session = { host: 'opencode', id } as const;
      bindSession({ home, isTimed: () => hasTime }, session, LOOP);
      expect({ any: isAnyArmed(), one: isArmed(id), timed: isTimed(id) }).toEqual({
        any: true,
        one: true,
        timed: hasTime,
      });
      expect([isNamed(id), isToolAsked(id, { path: `${home}/loops` })]).toEqual([true, true]);
      expect([isArmed('another-session'), isTimed('another-session'), isNamed('another-session')]).toEqual([
        false,
        false,
        false,
      ]);
      disarm(home, session, LOOP);
      expect({ any: isAnyArmed(), one: isArmed(id), timed: isTimed(id) }).toEqual({
        any: false,
        one: false,
        timed: false,
      });
    }),
    { numRuns: 30 },
  );
});

it.each([
  ['is woken with the prompt when the turn is to be tried again', 2, 'the prompt', 'the prompt'],
  ['is left alone when the loop went on without it', 0, '', null],
])('an agent whose turn failed %s, and the user hears the answer before', async (_name, code, prompt, woken) => {
  const { connect } = (await import(file)) as Ask;
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-plugins-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const script = path.join(home, 'hook.cjs');
  const answer = JSON.stringify({ kind: 'silent', notice: 'it failed' });
  writeFileSync(
    script,
    `process.stdin.resume().on('end', () => {
      const isWaker = process.argv[4] === '--wake' && process.env.TIRELESS_CLIENT === '${process.pid}';
      process.stdout.write(${JSON.stringify(answer)}, () => {
        process.stderr.write(isWaker ? ${JSON.stringify(prompt)} : 'no waker');
        process.exitCode = ${code};
      });
    });`,
  );
  const heard: (string | null)[] = [];
  const { wake } = connect('pi', { node: process.execPath, script, home });
  expect(await wake({ hook_event_name: 'StopFailure' }, ({ notice }) => heard.push(notice))).toBe(woken);
  expect(heard).toEqual(['it failed']);
});
