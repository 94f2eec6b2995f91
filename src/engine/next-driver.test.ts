import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { codeOf } from '../../test/support/fault-of.ts';
import { loopOf } from '../core/journal.ts';
import type { AgentSpec, State } from '../core/loop.ts';
import { FUNCTION_AGENT } from '../core/loop.ts';
import { nextDriver } from './next-driver.ts';
import type { Loaded } from './ports.ts';

const SESSION = { host: 'claude-code', id: 's1' };
const named = { name: 'mine' } as unknown as AgentSpec;
const launched = { name: 'of the host' } as unknown as AgentSpec;
const loaded = (driver: 'session' | 'outer', state: Partial<State>): Loaded => ({
  ...loopOf(aSpec({ driver }), aState({ session: SESSION, ...state })),
  head: { revision: 1, hash: 'h' },
});
const launchOf = (host: string): AgentSpec | null => (host === 'claude-code' ? launched : null);
const paused = (cause: string): Partial<State> => ({ status: 'paused', pause: { cause } as never });

describe('who continues a loop', () => {
  it('is the agent that was named, for a loop of a session', () => {
    expect(nextDriver(loaded('session', {}), named, launchOf)).toBe(named);
  });

  it.each(['handed-over', 'usage-limit'])('is the program of the host after a pause by %s', (cause) => {
    expect(nextDriver(loaded('session', paused(cause)), null, launchOf)).toBe(launched);
    expect(nextDriver(loaded('session', { ...paused(cause), session: null }), null, launchOf)).toBeNull();
  });

  it('is the session itself otherwise', () => {
    expect(nextDriver(loaded('session', {}), null, launchOf)).toBeNull();
    expect(nextDriver(loaded('session', paused('review')), null, launchOf)).toBeNull();
  });

  it('is nobody for a function of another program', () => {
    const spec = aSpec({ driver: 'outer', agent: { kind: 'named', name: FUNCTION_AGENT } });
    const found = { ...loopOf(spec, aState({})), head: { revision: 1, hash: 'h' } };
    expect(codeOf(() => nextDriver(found, null, launchOf))).toBe('AGENT_NOT_FOUND');
  });

  it('is never a second one beside ours', () => {
    expect(nextDriver(loaded('outer', {}), null, launchOf)).toBeNull();
    expect(codeOf(() => nextDriver(loaded('outer', {}), named, launchOf))).toBe('USAGE');
  });
});
