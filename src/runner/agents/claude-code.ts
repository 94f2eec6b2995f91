import type { Usage } from '../../core/evidence.ts';
import type { Failure } from '../../core/event.ts';
import type { AgentActivity, TurnEnd } from '../../engine/ports.ts';
import { SESSION_VARIABLES } from '../../hosts/claude-code/session-variables.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { fieldsOf, numberIn, objectsIn, textIn, type Fields } from './json-lines.ts';
import type { NamedAgent, SeenInStream } from './named-agent.ts';
import { clipped, NOTHING_SEEN, MESSAGE_CHARS_MAX, streamReader, toolDetail, withDefault } from './named-agent.ts';
import type { TurnReader } from './process-agent.ts';
import { brokenStream, reportedFailure } from './reported-failure.ts';

/**
 * Claude Code through its stream (`-p --output-format stream-json`), read with 2.1.325. Partial messages are requested only as signs of life: one
 * long answer of the model is not silence.
 */
export const claudeCode: NamedAgent = {
  words: (args) => [
    'claude',
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--include-partial-messages',
    ...withDefault(['--permission-mode', 'acceptEdits'], args, ['--dangerously-skip-permissions']),
  ],
  reader: claudeCodeReader,
};

/** The user's own limits on a turn: the agent did what it was allowed to do, so the checks are run. */
const OWN_LIMITS: ReadonlySet<string> = new Set(['error_max_turns', 'error_max_budget_usd']);

type Seen = SeenInStream & {
  /** Tools that the agent itself began and that have no result yet. Those of a subagent run inside one of these. */
  readonly running: Set<string>;
  /** Tokens used by the answers streamed so far. */
  tokens: number;
  /** The newest result; a turn that waited for background work has several, and their figures are sums. */
  result: Fields | null;
  /** The account is at its limit until then. */
  rejectedUntil: number | undefined;
};

export function claudeCodeReader(prompt: string): TurnReader {
  const seen: Seen = {
    ...NOTHING_SEEN,
    running: new Set(),
    tokens: 0,
    result: null,
    rejectedUntil: undefined,
  };
  return {
    environment: Object.fromEntries(SESSION_VARIABLES.map((name) => [name, undefined])),
    ...streamReader(seen, {
      activities: (line) => [...activitiesOf(line, seen), ...signsIn(line, seen)],
      end: (result, nowMs) => endOf(seen, result, { prompt, nowMs }),
    }),
  };
}

function activitiesOf(line: Fields, seen: Seen): readonly AgentActivity[] {
  switch (textIn(line, 'type') ?? '') {
    case 'assistant':
      return messageActivity(line, seen);
    case 'system':
      return textIn(line, 'subtype') === 'api_retry' ? [retried(line)] : [];
    case 'rate_limit_event': {
      const info = fieldsOf(line['rate_limit_info']);
      seen.rejectedUntil = textIn(info, 'status') === 'rejected' ? numberIn(info, 'resetsAt') : undefined;
      return [];
    }
    case 'result':
      seen.result = line;
      return [{ kind: 'usage', usage: usageOf(line) }];
    default:
      return [];
  }
}

/** Every line is a sign of life; some show which tools run, or what the turn has used so far. */
function signsIn(line: Fields, seen: Seen): readonly AgentActivity[] {
  const blocks = objectsIn(fieldsOf(line['message']), 'content');
  const isMain = textIn(line, 'parent_tool_use_id') === undefined;
  for (const block of blocks) {
    const kind = textIn(block, 'type');
    if (kind === 'tool_use' && isMain) seen.running.add(textIn(block, 'id') ?? '');
    if (kind === 'tool_result') seen.running.delete(textIn(block, 'tool_use_id') ?? '');
  }
  if (textIn(line, 'type') === 'result') seen.running.clear();
  if (textIn(line, 'type') === 'stream_event') seen.tokens += tokensIn(fieldsOf(line['event']));
  const { running, tokens } = seen;
  // Repeated with every line, because a slow reader sees only the newest activities.
  const sign = { kind: 'alive', toolsRunning: running.size } as const;
  return [tokens === 0 ? sign : { ...sign, usage: { costUsd: 'unknown', tokens } }];
}

/** The input of an answer is reported when it begins, its output when it ends. */
function tokensIn(event: Fields | null): number {
  switch (textIn(event, 'type') ?? '') {
    case 'message_start': {
      const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
      const input = sumOf(fieldsOf(fieldsOf(event?.['message'])?.['usage']), names);
      return input === 'unknown' ? 0 : input;
    }
    case 'message_delta':
      return numberIn(fieldsOf(event?.['usage']), 'output_tokens') ?? 0;
    default:
      return 0;
  }
}

/** One line for each block of a message. A subagent's blocks count as work, but its words are not the message. */
function messageActivity(line: Fields, seen: Seen): readonly AgentActivity[] {
  const isError = line['is_api_error_message'] === true;
  const isMain = textIn(line, 'parent_tool_use_id') === undefined;
  return objectsIn(fieldsOf(line['message']), 'content').flatMap((block): readonly AgentActivity[] => {
    const text = textIn(block, 'text') ?? '';
    if (textIn(block, 'type') === 'tool_use') {
      seen.toolCalls += 1;
      return [
        { kind: 'tool-used', tool: clipped(textIn(block, 'name') ?? 'tool'), detail: toolDetail(block['input']) },
      ];
    }
    if (textIn(block, 'type') !== 'text' || text === '' || !isMain) return [];
    if (!isError) seen.lastText = text.slice(-MESSAGE_CHARS_MAX);
    return [{ kind: 'output', stream: isError ? 'diagnostics' : 'message', text: `${clipped(text)}\n` }];
  });
}

function retried(line: Fields): AgentActivity {
  const status = numberIn(line, 'error_status');
  const why = [...(status === undefined ? [] : [String(status)]), textIn(line, 'error') ?? ''].join(' ');
  const count = `${numberIn(line, 'attempt') ?? '?'} of ${numberIn(line, 'max_retries') ?? '?'}`;
  return { kind: 'output', stream: 'diagnostics', text: `the service failed (${clipped(why)}); retry ${count}\n` };
}

function endOf(
  seen: Seen,
  result: SpawnResult,
  { prompt, nowMs }: { readonly prompt: string; readonly nowMs: number },
): TurnEnd {
  const { result: last, lastText, toolCalls } = seen;
  const failure =
    last === null
      ? brokenStream(result, { prompt, command: 'claude' }, { isStream: seen.isStream, nowMs })
      : failureOf(last, seen, { result, prompt, nowMs });
  const message = failure === null || last === null ? (textIn(last, 'result') ?? '') : '';
  return {
    message: (message === '' ? lastText : message).slice(-MESSAGE_CHARS_MAX),
    toolCalls,
    ...(last === null ? {} : { usage: usageOf(last) }),
    ...(failure === null ? {} : { failure }),
  };
}

function failureOf(
  last: Fields,
  { rejectedUntil }: Seen,
  { result, prompt, nowMs }: { readonly result: SpawnResult; readonly prompt: string; readonly nowMs: number },
): Failure | null {
  const subtype = textIn(last, 'subtype') ?? 'success';
  if (OWN_LIMITS.has(subtype)) return null;
  if (last['is_error'] !== true && subtype === 'success') {
    const isFine = result.exitCode === 0 && result.signal === null;
    return isFine ? null : brokenStream(result, { prompt, command: 'claude' }, { isStream: true, nowMs });
  }
  const status = numberIn(last, 'api_error_status');
  const isLimit = status === undefined || status === 429;
  return reportedFailure(
    { status, text: errorText(last, subtype), resetsAt: isLimit ? rejectedUntil : undefined },
    result.exitCode,
    nowMs,
  );
}

function errorText(last: Fields, subtype: string): string {
  const { errors } = last;
  const listed = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string').join('; ') : '';
  return (textIn(last, 'result') ?? '') || listed || subtype;
}

/**
 * The total of all models and subagents; the `usage` next to it covers only the last piece of a turn. Cached tokens count, because they cost money.
 */
function usageOf(last: Fields): Usage {
  const models = Object.values(fieldsOf(last['modelUsage']) ?? {}).map(fieldsOf);
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  const older = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  const tokens =
    models.length > 0 ? models.map((model) => sumOf(model, names)) : [sumOf(fieldsOf(last['usage']), older)];
  return {
    costUsd: numberIn(last, 'total_cost_usd') ?? 'unknown',
    tokens: tokens.reduce<number | 'unknown'>(
      (sum, one) => (sum === 'unknown' || one === 'unknown' ? 'unknown' : sum + one),
      0,
    ),
  };
}

function sumOf(fields: Fields | null, names: readonly string[]): number | 'unknown' {
  const found = names.flatMap((name) => numberIn(fields, name) ?? []);
  return found.length === 0 ? 'unknown' : found.reduce((sum, one) => sum + one, 0);
}
