/** The types of the document, word for word: variables of its types and of ours can be used for each other. */
import { describe, expect, it } from 'vitest';
import type * as ours from '../../src/facades/athena/index.ts';
import {
  cleanupOnExit,
  createLoopManager,
  handleEvent,
  loopCallbacks,
  readWorkflow,
} from '../../src/facades/athena/index.ts';
import { anAthenaFixture } from '../support/athena-fixture.ts';

type LoopConfig = {
  enabled: boolean;
  completionMarker: string;
  maxIterations: number;
  continueMessage?: string;
  trackerTemplate?: string;
};
type LoopState = {
  active: boolean;
  iteration: number;
  maxIterations: number;
  completionMarker: string;
  continueMessage: string;
  trackerContent: string;
};
type LoopDecision = { action: 'continue'; reason: string } | { action: 'stop'; reason: string };
type LoopManager = {
  isActive(): boolean;
  getState(): LoopState | null;
  evaluate(): LoopDecision;
  incrementIteration(): void;
  deactivate(): void;
  cleanup(): void;
};
type HookRule = ours.HookRule;
type RuntimeEvent = ours.RuntimeEvent;
type ControllerCallbacks = {
  getRules: () => HookRule[];
  enqueuePermission: (event: RuntimeEvent) => void;
  enqueueQuestion: (eventId: string) => void;
  getLoopState?: () => LoopState | null;
  updateLoopState?: (update: Partial<LoopState>) => void;
  signal?: AbortSignal;
};
type RuntimeIntent =
  | { kind: 'permission_allow' }
  | { kind: 'permission_deny'; reason: string }
  | { kind: 'question_answer'; answers: Record<string, string> }
  | { kind: 'pre_tool_allow' }
  | { kind: 'pre_tool_deny'; reason: string }
  | { kind: 'stop_block'; reason: string };

/** Compiles only when each can stand for the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** A function type is compared exactly, so that a read-only field differs from one that can be assigned to. */
type Exact<A> = <T>(value: T) => T extends A ? T : A;
type Identical<A, B> = Exact<A> extends Exact<B> ? true : false;

const IDENTICAL: [
  Identical<LoopConfig, ours.LoopConfig>,
  Identical<LoopState, ours.LoopState>,
  Identical<RuntimeIntent, ours.RuntimeIntent>,
  Same<LoopManager, ours.LoopManager>,
  Same<LoopDecision, ours.LoopDecision>,
] = [true, true, true, true, true];

describe('the types of the document', () => {
  it('fit a manager, its callbacks and the controller', () => {
    const fixture = anAthenaFixture();
    const config: LoopConfig = { enabled: true, completionMarker: 'DONE', maxIterations: 1 };
    config.maxIterations = 2;
    const mine: ours.LoopConfig = config;
    mine.continueMessage = 'Keep going';
    const manager: LoopManager = createLoopManager(fixture.file, mine, fixture.options);
    const again: ours.LoopManager = manager;
    const callbacks: ControllerCallbacks = {
      getRules: () => [],
      enqueuePermission: () => undefined,
      enqueueQuestion: () => undefined,
      ...loopCallbacks(manager),
      ...loopCallbacks(again),
    };
    expect(handleEvent({ id: '1', hookName: 'Stop' }, callbacks).handled).toBe(true);
    const state: LoopState | null = manager.getState();
    const decision: LoopDecision = manager.evaluate();
    cleanupOnExit(manager)();
    expect([state?.iteration, decision.action, IDENTICAL.length]).toEqual([1, 'continue', 5]);
  });

  it('fit a manager that someone else wrote: its methods are the callbacks', () => {
    let iteration = 0;
    let active = true;
    const own: LoopManager = {
      isActive: () => active,
      getState: () => ({
        active,
        iteration,
        maxIterations: 2,
        completionMarker: 'X',
        continueMessage: 'go',
        trackerContent: '',
      }),
      evaluate: () => ({ action: 'stop', reason: 'no' }),
      incrementIteration: () => void (iteration += 1),
      deactivate: () => void (active = false),
      cleanup: () => undefined,
    };
    const base = { getRules: () => [], enqueuePermission: () => undefined, enqueueQuestion: () => undefined };
    const results = [1, 2, 3].map(
      () => handleEvent({ id: '1', hookName: 'Stop' }, { ...base, ...loopCallbacks(own) }).handled,
    );
    expect([results, active]).toEqual([[true, true, false], false]);
  });

  it('fit a workflow that was read', () => {
    const read = readWorkflow(
      '{"name":"x","plugins":["a"],"loop":{"enabled":true,"completionMarker":"X","maxIterations":3}}',
    );
    if (read.kind !== 'workflow') throw new Error(read.why);
    const plugins: string[] = read.workflow.plugins;
    const loop: LoopConfig | undefined = read.workflow.loop;
    read.workflow.name = 'y';
    expect([plugins, loop?.maxIterations]).toEqual([['a'], 3]);
  });
});
