/** A hook event on its way through Athena. Everything else the host sent is kept in `payload` unchanged. */
export type RuntimeEvent = {
  readonly id: string;
  /** `Stop`, `PreToolUse`, `PermissionRequest` … Unknown names are passed through. */
  readonly hookName: string;
  readonly toolName?: string;
  readonly sessionId?: string;
  readonly payload?: unknown;
};

/** What the controller wants, independent of any host. */
export type RuntimeIntent =
  | { kind: 'permission_allow' }
  | { kind: 'permission_deny'; reason: string }
  | { kind: 'question_answer'; answers: Record<string, string> }
  | { kind: 'pre_tool_allow' }
  | { kind: 'pre_tool_deny'; reason: string }
  | { kind: 'stop_block'; reason: string };

export type RuntimeDecision =
  | { type: 'json'; source: DecisionSource; intent: RuntimeIntent }
  | { type: 'block'; source: DecisionSource; reason: string }
  | { type: 'passthrough'; source: DecisionSource };

export type DecisionSource = 'user' | 'timeout' | 'rule';

/** What the forwarder does in the host's hook. */
export type HookResult =
  | { action: 'passthrough' }
  | { action: 'json_output'; stdout_json: Record<string, unknown> }
  | { action: 'block_with_stderr'; stderr: string };

/** The user's standing answer for a tool. `toolName` may be `*`, or end with `*`. */
export type HookRule = {
  readonly id: string;
  readonly toolName: string;
  readonly action: 'approve' | 'deny';
  readonly addedBy: string;
};

/** A denial takes precedence over an approval, whatever their order. */
export function matchRule(rules: readonly HookRule[], toolName: string): HookRule | undefined {
  const matching = rules.filter(
    (rule) =>
      rule.toolName === toolName || (rule.toolName.endsWith('*') && toolName.startsWith(rule.toolName.slice(0, -1))),
  );
  return matching.find((rule) => rule.action === 'deny') ?? matching[0];
}
