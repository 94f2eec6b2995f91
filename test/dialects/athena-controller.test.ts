import { describe, expect, it, vi } from 'vitest';
import type {
  ControllerCallbacks,
  HookRule,
  LoopState,
  RuntimeDecision,
  RuntimeEvent,
} from '../../src/facades/athena/index.ts';
import { handleEvent, loopCallbacks, mapDecisionToResult } from '../../src/facades/athena/index.ts';
import { anAthenaFixture, CONFIG } from '../support/athena-fixture.ts';

const STATE: LoopState = {
  active: true,
  iteration: 2,
  maxIterations: 5,
  completionMarker: 'DONE',
  continueMessage: 'Keep going',
  trackerContent: '# Progress\n\nStill working...',
};

function event(hookName: string, more: Partial<RuntimeEvent> = {}): RuntimeEvent {
  return { id: 'e-1', hookName, ...more };
}

function callbacksFor(state: LoopState | null, more: Partial<ControllerCallbacks> = {}) {
  const updates: Partial<LoopState>[] = [];
  const warnings: string[] = [];
  const infos: string[] = [];
  const callbacks = {
    getRules: (): HookRule[] => [],
    enqueuePermission: vi.fn<(event: RuntimeEvent) => void>(),
    enqueueQuestion: vi.fn<(id: string) => void>(),
    getLoopState: () => state,
    updateLoopState: (update: Partial<LoopState>) => void updates.push(update),
    logger: { warn: (text: string) => void warnings.push(text), info: (text: string) => void infos.push(text) },
    ...more,
  } satisfies ControllerCallbacks;
  return { callbacks, updates, warnings, infos };
}

const stop = (state: LoopState | null, more: Partial<ControllerCallbacks> = {}) => {
  const made = callbacksFor(state, more);
  return { result: handleEvent(event('Stop'), made.callbacks), ...made };
};

describe('a Stop of a loop in callbacks', () => {
  it('is passed through without a loop state', () => {
    expect(stop(null).result).toEqual({ handled: false });
    const { getRules, enqueuePermission, enqueueQuestion } = callbacksFor(null).callbacks;
    expect(handleEvent(event('Stop'), { getRules, enqueuePermission, enqueueQuestion })).toEqual({ handled: false });
  });

  it('is passed through when the loop is not active', () => {
    const { result, updates } = stop({ ...STATE, active: false });
    expect([result, updates]).toEqual([{ handled: false }, []]);
  });

  it.each([5, 6, 500])('ends the loop at %i of 5 iterations', (iteration) => {
    const { result, updates, infos } = stop({ ...STATE, iteration });
    expect([result, updates]).toEqual([{ handled: false }, [{ active: false }]]);
    expect(infos).toEqual([expect.stringContaining('max iterations reached')]);
  });

  it('ends the loop when the tracker contains the marker', () => {
    const { result, updates, infos } = stop({ ...STATE, trackerContent: 'all of it is DONE, really' });
    expect([result, updates]).toEqual([{ handled: false }, [{ active: false }]]);
    expect(infos).toEqual([expect.stringContaining('completion marker found')]);
  });

  it('is complete where marker and maximum meet', () => {
    const { infos } = stop({ ...STATE, iteration: 5, trackerContent: 'DONE' });
    expect(infos).toEqual([expect.stringContaining('completion marker found')]);
  });

  it('is blocked otherwise, counted first, with the message as the reason', () => {
    const { result, updates } = stop(STATE);
    expect(result).toEqual({
      handled: true,
      decision: { type: 'json', source: 'rule', intent: { kind: 'stop_block', reason: 'Keep going' } },
    });
    expect(updates).toEqual([{ iteration: 3 }]);
  });

  it('is decided the same while stop_hook_active is true, and ends at the maximum', () => {
    let state = { ...STATE, iteration: 0 };
    const { callbacks } = callbacksFor(null, {
      getLoopState: () => state,
      updateLoopState: (update) => {
        state = { ...state, ...update };
      },
    });
    const again = event('Stop', { payload: { stop_hook_active: true } });
    let blocks = 0;
    while (handleEvent(again, callbacks).handled) blocks += 1;
    expect([blocks, state.iteration, state.active]).toEqual([5, 5, false]);
  });

  it.each([
    ['no number', { iteration: Number.NaN }],
    ['a maximum without end', { maxIterations: Number.POSITIVE_INFINITY }],
    ['an empty marker', { completionMarker: '' }],
  ])('fails open with a warning on %s', (_, odd) => {
    const { result, updates, warnings } = stop({ ...STATE, ...odd });
    expect([result, updates, warnings.length]).toEqual([{ handled: false }, [], 1]);
  });

  it('fails open with a warning when a callback throws', () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    for (const broken of [{ getLoopState: boom }, { updateLoopState: boom }]) {
      const { result, warnings } = stop(STATE, broken);
      expect([result, warnings]).toEqual([{ handled: false }, [expect.stringContaining('boom')]]);
    }
  });

  it('never blocks a loop that it cannot count', () => {
    const { callbacks, warnings } = callbacksFor(STATE);
    const { updateLoopState: _, ...uncounted } = callbacks;
    expect(handleEvent(event('Stop'), uncounted)).toEqual({ handled: false });
    expect(warnings).toHaveLength(1);
  });

  it('is passed through once the session is being ended', () => {
    const { result, updates } = stop(STATE, { signal: AbortSignal.abort() });
    expect([result, updates]).toEqual([{ handled: false }, []]);
  });
});

describe('a Stop of a loop in a tracker', () => {
  it('is blocked until the maximum, then let through, with the file following', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager({ ...CONFIG, maxIterations: 2, continueMessage: 'Keep going' });
    const { callbacks } = callbacksFor(null, loopCallbacks(manager));
    const results = [1, 2, 3, 4].map(() => handleEvent(event('Stop'), callbacks).handled);
    expect(results).toEqual([true, true, false, false]);
    expect(manager.getState()).toMatchObject({ active: false, iteration: 2 });
  });

  it('is answered only after it is written down', () => {
    const fixture = anAthenaFixture();
    const { callbacks } = callbacksFor(null, loopCallbacks(fixture.manager()));
    const before = fixture.loops()[0]?.state.counted;
    expect(handleEvent(event('Stop'), callbacks)).toMatchObject({ decision: { intent: { kind: 'stop_block' } } });
    expect([before, fixture.loops()[0]?.state.counted]).toEqual([0, 1]);
  });

  it('works through getState, incrementIteration and deactivate as the document wires them', () => {
    const fixture = anAthenaFixture();
    const manager = fixture.manager();
    const { getLoopState, updateLoopState } = loopCallbacks(manager);
    const { callbacks } = callbacksFor(null, { getLoopState, updateLoopState });
    expect([1, 2, 3, 4].map(() => handleEvent(event('Stop'), callbacks).handled)).toEqual([true, true, true, false]);
    expect(manager.getState()).toMatchObject({ active: false, iteration: 3 });
    expect(fixture.loops()[0]?.state.outcome).toMatchObject({ kind: 'halted', guard: 'iterations-max' });
  });
});

describe('tools and permissions', () => {
  const rules: HookRule[] = [
    { id: '1', toolName: 'Bash', action: 'approve', addedBy: 'ada' },
    { id: '2', toolName: 'Write', action: 'deny', addedBy: 'ada' },
    { id: '3', toolName: 'mcp__db__*', action: 'approve', addedBy: 'ada' },
    { id: '4', toolName: 'mcp__db__drop', action: 'deny', addedBy: 'bob' },
  ];
  const ask = (hookName: string, toolName: string) =>
    handleEvent(event(hookName, { toolName }), callbacksFor(null, { getRules: () => rules }).callbacks);

  it.each([
    ['PermissionRequest', 'Bash', { kind: 'permission_allow' }],
    ['PermissionRequest', 'Write', { kind: 'permission_deny', reason: 'Blocked by rule: ada' }],
    ['PreToolUse', 'Bash', { kind: 'pre_tool_allow' }],
    ['PreToolUse', 'Write', { kind: 'pre_tool_deny', reason: 'Blocked by rule: ada' }],
    ['PreToolUse', 'mcp__db__read', { kind: 'pre_tool_allow' }],
    ['PreToolUse', 'mcp__db__drop', { kind: 'pre_tool_deny', reason: 'Blocked by rule: bob' }],
  ])('answers %s of %s by the rules', (hookName, toolName, intent) => {
    expect(ask(hookName, toolName)).toEqual({ handled: true, decision: { type: 'json', source: 'rule', intent } });
  });

  it('asks a person for a permission without a rule', () => {
    const { callbacks } = callbacksFor(null);
    const asked = event('PermissionRequest', { toolName: 'Bash' });
    expect(handleEvent(asked, callbacks)).toEqual({ handled: true });
    expect(callbacks.enqueuePermission).toHaveBeenCalledWith(asked);
  });

  it('asks a person what the agent asks', () => {
    const { callbacks } = callbacksFor(null);
    expect(handleEvent(event('PreToolUse', { toolName: 'AskUserQuestion' }), callbacks)).toEqual({ handled: true });
    expect(callbacks.enqueueQuestion).toHaveBeenCalledWith('e-1');
  });

  it('leaves a tool without a rule, and events it does not know, to the host', () => {
    expect([ask('PreToolUse', 'Read'), ask('PreToolUse', ''), ask('FutureEvent', 'Bash')]).toEqual(
      Array.from({ length: 3 }, () => ({ handled: false })),
    );
  });
});

describe('mapDecisionToResult', () => {
  const mapped = (intent: (RuntimeDecision & { type: 'json' })['intent'], payload?: unknown) =>
    mapDecisionToResult(event('x', { payload }), { type: 'json', source: 'user', intent });
  const json = (stdout_json: unknown) => ({ action: 'json_output', stdout_json });
  const specific = (hookEventName: string, rest: object) => json({ hookSpecificOutput: { hookEventName, ...rest } });

  it('maps stop_block to a block with its reason', () => {
    expect(mapped({ kind: 'stop_block', reason: 'Keep going' })).toEqual(
      json({ decision: 'block', reason: 'Keep going' }),
    );
  });

  it('maps permissions', () => {
    expect(mapped({ kind: 'permission_allow' })).toEqual(
      specific('PermissionRequest', { decision: { behavior: 'allow' } }),
    );
    expect(mapped({ kind: 'permission_deny', reason: 'no' })).toEqual(
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } }),
    );
  });

  it('maps tools', () => {
    expect(mapped({ kind: 'pre_tool_allow' })).toEqual(specific('PreToolUse', { permissionDecision: 'allow' }));
    expect(mapped({ kind: 'pre_tool_deny', reason: 'no' })).toEqual(
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    );
  });

  it('maps answers, beside the questions they belong to', () => {
    const answered = (payload?: unknown) => mapped({ kind: 'question_answer', answers: { q: 'a' } }, payload);
    expect(answered()).toEqual(
      specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { answers: { q: 'a' } } }),
    );
    expect(answered({ tool_input: { questions: ['q'] } })).toEqual(
      specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { questions: ['q'], answers: { q: 'a' } } }),
    );
  });

  it('maps a passthrough and a plain block', () => {
    expect(mapDecisionToResult(event('x'), { type: 'passthrough', source: 'timeout' })).toEqual({
      action: 'passthrough',
    });
    expect(mapDecisionToResult(event('x'), { type: 'block', source: 'user', reason: 'no' })).toEqual({
      action: 'block_with_stderr',
      stderr: 'no',
    });
  });
});
