import type { HookResult, RuntimeDecision, RuntimeEvent, RuntimeIntent } from './runtime.ts';

/** The only place that knows the format of Claude Code's replies. */
export function mapDecisionToResult(event: RuntimeEvent, decision: RuntimeDecision): HookResult {
  switch (decision.type) {
    case 'passthrough':
      return { action: 'passthrough' };
    case 'block':
      return { action: 'block_with_stderr', stderr: decision.reason };
    case 'json':
      return { action: 'json_output', stdout_json: outputFor(event, decision.intent) };
  }
}

function outputFor(event: RuntimeEvent, intent: RuntimeIntent): Record<string, unknown> {
  switch (intent.kind) {
    case 'permission_allow':
      return forHook('PermissionRequest', { decision: { behavior: 'allow' } });
    case 'permission_deny':
      return forHook('PermissionRequest', { decision: { behavior: 'deny', message: intent.reason } });
    case 'question_answer':
      // The tool expects its own questions in the reply, along with the answers.
      return forHook('PreToolUse', {
        permissionDecision: 'allow',
        updatedInput: { ...toolInputOf(event), answers: intent.answers },
      });
    case 'pre_tool_allow':
      return forHook('PreToolUse', { permissionDecision: 'allow' });
    case 'pre_tool_deny':
      return forHook('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: intent.reason });
    case 'stop_block':
      return { decision: 'block', reason: intent.reason };
  }
}

function forHook(hookEventName: string, output: Record<string, unknown>): Record<string, unknown> {
  return { hookSpecificOutput: { hookEventName, ...output } };
}

function toolInputOf({ payload }: RuntimeEvent): object {
  if (typeof payload !== 'object' || payload === null || !('tool_input' in payload)) return {};
  return typeof payload.tool_input === 'object' && payload.tool_input !== null ? payload.tool_input : {};
}
