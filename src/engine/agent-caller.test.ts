import { describe, expect, it } from 'vitest';
import { aSpec } from '../../test/support/a-loop.ts';
import { Fault } from '../core/fault.ts';
import { openMemoryStore } from '../stores/memory-store.ts';
import type { SessionVariable } from './agent-caller.ts';
import { findAgentCaller, loopOfVariables, markNames } from './agent-caller.ts';
import { handleEvent } from './handle-event.ts';
import { NO_FILES } from './no-files.ts';
import { runSync } from './pipeline.ts';
import type { Effects, Store } from './ports.ts';
import { startLoop } from './start-loop.ts';

const SESSIONS: readonly SessionVariable[] = [
  { host: 'claude-code', variable: 'CLAUDE_CODE_SESSION_ID' },
  { host: 'codex', variable: 'CODEX_THREAD_ID' },
];
const SESSION = { host: 'claude-code', id: 's1' };

function aStore(): { readonly store: Store; readonly post: (kind: 'cancel-requested' | 'baseline-taken') => void } {
  const store = openMemoryStore();
  const effects: Effects = {
    ...store,
    ...NO_FILES,
    readClock: () => ({ wallMs: 1, monotonicMs: 1, boot: 'b' }),
    newLoop: () => ({ loop: 'a', machine: 'm' }),
    probe: ({ requests }) => requests.map(() => ({ kind: 'workspace', fingerprint: null })),
  };
  const request = { loop: 'a', spec: aSpec({ driver: 'session' }), session: SESSION, cwd: '/p', machine: 'm' };
  runSync(startLoop(request), effects);
  store.bindSession(SESSION, 'a');
  return { store, post: (kind) => void runSync(handleEvent('a', { kind }), effects) };
}

const bySession = { loop: 'a', mark: 'CLAUDE_CODE_SESSION_ID', isSession: true };
const byLoop = { loop: 'a', mark: 'TIRELESS_LOOP', isSession: false };

describe('findAgentCaller', () => {
  it('finds a person where nothing carries a mark', () => {
    const { store } = aStore();
    for (const processes of [[], [{}], [{ HOME: '/h', TIRELESS_LOOP: '', CLAUDE_CODE_SESSION_ID: ' ' }, {}]])
      expect(findAgentCaller(processes, SESSIONS, store)).toBeNull();
  });

  it('knows an agent by its own mark, and by that of any ancestor', () => {
    const { store } = aStore();
    expect(findAgentCaller([{ TIRELESS_LOOP: 'a' }], SESSIONS, store)).toEqual(byLoop);
    expect(findAgentCaller([{}, {}, { TIRELESS_LOOP: 'a' }], SESSIONS, store)).toEqual(byLoop);
    expect(findAgentCaller([{ CLAUDE_CODE_SESSION_ID: 's1' }], SESSIONS, store)).toEqual(bySession);
    expect(findAgentCaller([{}, { CLAUDE_CODE_SESSION_ID: 's1' }], SESSIONS, store)).toEqual(bySession);
  });

  it('takes a mark of another home, another session or another host for nothing', () => {
    const { store } = aStore();
    for (const variables of [{ TIRELESS_LOOP: 'b' }, { CLAUDE_CODE_SESSION_ID: 's2' }, { CODEX_THREAD_ID: 's1' }])
      expect(findAgentCaller([variables], SESSIONS, store)).toBeNull();
  });

  it('lets a session go when its loop is over, and a process of an outer loop never', () => {
    const { store, post } = aStore();
    post('baseline-taken');
    post('cancel-requested');
    expect(findAgentCaller([{ CLAUDE_CODE_SESSION_ID: 's1' }], SESSIONS, store)).toBeNull();
    expect(findAgentCaller([{ TIRELESS_LOOP: 'a' }], SESSIONS, store)).toEqual(byLoop);
  });

  it('refuses in doubt: a loop that cannot be read is one', () => {
    const store = {
      loopOfSession: () => 'a',
      load: () => {
        throw new Fault('JOURNAL_BROKEN', 'broken');
      },
    };
    expect(findAgentCaller([{ TIRELESS_LOOP: 'a' }], SESSIONS, store)).toEqual(byLoop);
    expect(findAgentCaller([{ CLAUDE_CODE_SESSION_ID: 's1' }], SESSIONS, store)).toEqual(bySession);
  });

  it('asks a process for the mark of a loop and for one variable per host', () => {
    expect(markNames(SESSIONS)).toEqual(['TIRELESS_LOOP', 'CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID']);
  });
});

describe('loopOfVariables', () => {
  it('takes the loop that is named, then the open loop of the session', () => {
    const { store, post } = aStore();
    const inSession = { TIRELESS_LOOP: ' ', CLAUDE_CODE_SESSION_ID: 's1' };
    expect(loopOfVariables({ ...inSession, TIRELESS_LOOP: 'b' }, SESSIONS, store)).toBe('b');
    expect(loopOfVariables(inSession, SESSIONS, store)).toBe('a');
    expect(loopOfVariables({ CLAUDE_CODE_SESSION_ID: 's2' }, SESSIONS, store)).toBeUndefined();
    post('cancel-requested');
    expect(loopOfVariables(inSession, SESSIONS, store)).toBeUndefined();
  });
});
