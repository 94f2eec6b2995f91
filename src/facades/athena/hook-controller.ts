import { logsEnding, watchCount } from './counted-blocks.ts';
import { MARKER_FOUND, MAX_REACHED } from './decision-words.ts';
import type { Logger } from './logger.ts';
import { failOpenLogged, PROCESS_LOGGER } from './logger.ts';
import type { LoopManager } from './loop-manager.ts';
import { isEngineManager } from './loop-manager.ts';
import type { LoopDecision, LoopState } from './loop-state.ts';
import { decideOn } from './loop-state.ts';
import type { HookRule, RuntimeDecision, RuntimeEvent, RuntimeIntent } from './runtime.ts';
import { matchRule } from './runtime.ts';

export type ControllerCallbacks = {
  getRules: () => HookRule[];
  enqueuePermission: (event: RuntimeEvent) => void;
  enqueueQuestion: (eventId: string) => void;
  getLoopState?: () => LoopState | null;
  updateLoopState?: (update: Partial<LoopState>) => void;
  signal?: AbortSignal;
  /** Not in the document: a loop with a tracker replies itself, after the commit. Replaces the two callbacks above. */
  settleStop?: () => LoopDecision;
  logger?: Logger;
};

/** `decision` is missing while a person is being asked. */
export type ControllerResult = { handled: true; decision?: RuntimeDecision } | { handled: false };

const PASS: ControllerResult = { handled: false };

/** The answer to a hook event. Never throws: errors are reported to the logger, and the agent is left alone. */
export function handleEvent(event: RuntimeEvent, callbacks: ControllerCallbacks): ControllerResult {
  // The session is ending: there is nobody left to ask or to send back to work.
  if (callbacks.signal?.aborted === true) return PASS;
  const logger = callbacks.logger ?? PROCESS_LOGGER;
  return failOpenLogged(logger, PASS, () => {
    // Untyped code passes the payload of the host unchanged.
    if (typeof event.hookName !== 'string')
      logger.warn(
        'handleEvent takes { id, hookName: "Stop", … }: this event has no hookName, so it is passed through.',
      );
    switch (event.hookName) {
      case 'Stop':
        return handleStop(callbacks);
      case 'PermissionRequest':
        return handlePermission(event, callbacks);
      case 'PreToolUse':
        return handleTool(event, callbacks);
      default:
        return PASS;
    }
  });
}

type LoopCallbacks = Required<Pick<ControllerCallbacks, 'getLoopState' | 'updateLoopState'>> &
  Pick<ControllerCallbacks, 'settleStop'>;

/** A manager's loop, ready to be spread into the callbacks. `settleStop` is present for a manager made by `createLoopManager`. */
export function loopCallbacks(manager: LoopManager): LoopCallbacks {
  const getLoopState = (): LoopState | null => manager.getState();
  if (isEngineManager(manager))
    return {
      getLoopState,
      updateLoopState: (update) => manager.applyUpdate(update),
      settleStop: () => manager.settleStop(),
    };
  return {
    getLoopState,
    updateLoopState: (update) => {
      if (update.active === false) manager.deactivate();
      else if (update.iteration !== undefined) manager.incrementIteration();
    },
  };
}

/** `stop_hook_active` makes no difference: a stop is blocked only if it was counted, and the maximum ends the loop. */
function handleStop(callbacks: ControllerCallbacks): ControllerResult {
  if (callbacks.settleStop !== undefined) {
    const { action, reason } = callbacks.settleStop();
    return action === 'continue' ? decided({ kind: 'stop_block', reason }) : PASS;
  }
  const state = callbacks.getLoopState?.() ?? null;
  if (state === null || !state.active) return PASS;
  const logger = callbacks.logger ?? PROCESS_LOGGER;
  const decision = decideOn(state);
  switch (decision.kind) {
    case 'continue':
      if (callbacks.updateLoopState === undefined) {
        logger.warn('The loop lets the agent stop: without updateLoopState it could not count, and would never end.');
        return PASS;
      }
      return blockCounted(state, callbacks, callbacks.updateLoopState);
    case 'complete':
    case 'halt':
      // A manager logs its own endings; a different logger passed in here gets them too.
      if (!logsEnding(state, callbacks.logger))
        logger.info(`Loop: ${decision.kind === 'complete' ? MARKER_FOUND : MAX_REACHED}.`);
      callbacks.updateLoopState?.({ active: false });
      return PASS;
    case 'abstain':
      logger.warn(
        'The loop lets the agent stop: its state has no usable iteration, maxIterations or completionMarker.',
      );
      return PASS;
    case 'cancel':
    case 'pause':
    case 'record':
    case 'refuse':
      return PASS;
  }
}

function blockCounted(
  state: LoopState,
  callbacks: ControllerCallbacks,
  updateLoopState: NonNullable<ControllerCallbacks['updateLoopState']>,
): ControllerResult {
  const logger = callbacks.logger ?? PROCESS_LOGGER;
  const { iteration, continueMessage } = state;
  const readCount = watchCount(state, () => callbacks.getLoopState?.() ?? null);
  updateLoopState({ iteration: iteration + 1 });
  switch (readCount()) {
    case 'not-counted':
      logger.warn(
        `The loop lets the agent stop: nothing shows that the stop at iteration ${iteration} was counted, and a loop that does not count never ends.`,
      );
      return PASS;
    case 'counted-here':
      logger.warn(`updateLoopState did not raise the iteration ${iteration}, so this stop is counted here.`);
      return decided({ kind: 'stop_block', reason: continueMessage });
    case 'counted':
      return decided({ kind: 'stop_block', reason: continueMessage });
  }
}

function handlePermission(event: RuntimeEvent, callbacks: ControllerCallbacks): ControllerResult {
  const rule = event.toolName === undefined ? undefined : matchRule(callbacks.getRules(), event.toolName);
  if (rule?.action === 'deny') return decided({ kind: 'permission_deny', reason: refusal(rule) });
  if (rule?.action === 'approve') return decided({ kind: 'permission_allow' });
  callbacks.enqueuePermission(event);
  return { handled: true };
}

/** Without a rule, the host's own permissions decide. */
function handleTool(event: RuntimeEvent, callbacks: ControllerCallbacks): ControllerResult {
  if (event.toolName === undefined) return PASS;
  if (event.toolName === 'AskUserQuestion') {
    callbacks.enqueueQuestion(event.id);
    return { handled: true };
  }
  const rule = matchRule(callbacks.getRules(), event.toolName);
  if (rule === undefined) return PASS;
  return decided(
    rule.action === 'deny' ? { kind: 'pre_tool_deny', reason: refusal(rule) } : { kind: 'pre_tool_allow' },
  );
}

function decided(intent: RuntimeIntent): ControllerResult {
  return { handled: true, decision: { type: 'json', source: 'rule', intent } };
}

function refusal(rule: HookRule): string {
  return `Blocked by rule: ${rule.addedBy}`;
}
