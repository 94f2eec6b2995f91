import { parseJson } from '../../core/parse-json.ts';
import type { Usage } from '../../core/evidence.ts';
import type { AgentActivity, TurnEnd } from '../../engine/ports.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { fieldsOf, numberIn, objectsIn, textIn, type Fields } from './json-lines.ts';
import type { NamedAgent, SeenInStream } from './named-agent.ts';
import { clipped, MESSAGE_CHARS_MAX, NOTHING_SEEN, streamReader, toolDetail, withDefault } from './named-agent.ts';
import type { TurnReader } from './process-agent.ts';
import { brokenStream, reportedFailure, type FailureReport } from './reported-failure.ts';

/** Codex through its stream (`exec --json`), read with 0.166.0. It reports tokens, but no cost. */
export const codex: NamedAgent = {
  words: (args) => [
    'codex',
    'exec',
    '--json',
    '--skip-git-repo-check',
    ...withDefault(['--sandbox', 'workspace-write'], args, OTHER_SANDBOXES),
    '-',
  ],
  reader: codexReader,
};

const OTHER_SANDBOXES = [
  '-s',
  '--approve-for-me',
  '--full-auto',
  '--dangerously-bypass-approvals-and-sandbox',
  '--yolo',
];

type Seen = SeenInStream & {
  /** Tools that began and have not ended: their end is not a second use. */
  readonly begun: Set<string>;
  usage: Usage | undefined;
  /** The failure of the whole turn. */
  failed: string | undefined;
  /** The last error that was reported, which the turn may have survived. */
  lastError: string | undefined;
};

export function codexReader(prompt: string): TurnReader {
  const seen: Seen = {
    ...NOTHING_SEEN,
    begun: new Set(),
    usage: undefined,
    failed: undefined,
    lastError: undefined,
  };
  return streamReader(seen, {
    // Repeated with every line, because a slow reader sees only the newest activities.
    activities: (line) => [...activitiesOf(line, seen), { kind: 'alive', toolsRunning: seen.begun.size }],
    end: (result, nowMs) => endOf(seen, result, { prompt, nowMs }),
  });
}

function activitiesOf(line: Fields, seen: Seen): readonly AgentActivity[] {
  switch (textIn(line, 'type') ?? '') {
    case 'item.started':
    case 'item.completed':
      return itemActivities(fieldsOf(line['item']), textIn(line, 'type') === 'item.completed', seen);
    case 'turn.completed':
      seen.begun.clear();
      seen.usage = usageOf(fieldsOf(line['usage']));
      return [{ kind: 'usage', usage: seen.usage }];
    case 'turn.failed':
      seen.begun.clear();
      seen.failed = textIn(fieldsOf(line['error']), 'message') ?? '';
      return [];
    case 'error':
      seen.lastError = textIn(line, 'message') ?? '';
      return [diagnostics(seen.lastError)];
    default:
      return [];
  }
}

function itemActivities(item: Fields | null, isCompleted: boolean, seen: Seen): readonly AgentActivity[] {
  const text = textIn(item, 'text') ?? '';
  switch (textIn(item, 'type') ?? '') {
    case 'agent_message':
      if (!isCompleted || text === '') return [];
      seen.lastText = text.slice(-MESSAGE_CHARS_MAX);
      return [{ kind: 'output', stream: 'message', text: `${clipped(text)}\n` }];
    case 'error':
      return [diagnostics(textIn(item, 'message') ?? '')];
    case 'command_execution':
      return toolUsed(item, isCompleted, seen, { tool: 'shell', detail: toolDetail({ of: item?.['command'] }) });
    case 'file_change': {
      const paths = objectsIn(item, 'changes').map((change) => textIn(change, 'path') ?? '');
      return toolUsed(item, isCompleted, seen, { tool: 'edit', detail: toolDetail({ of: paths.join(' ') }) });
    }
    case 'mcp_tool_call': {
      const tool = `${textIn(item, 'server') ?? 'mcp'}.${textIn(item, 'tool') ?? 'tool'}`;
      return toolUsed(item, isCompleted, seen, { tool: clipped(tool), detail: toolDetail(item?.['arguments']) });
    }
    case 'web_search':
      return toolUsed(item, isCompleted, seen, { tool: 'search', detail: toolDetail({ of: item?.['query'] }) });
    default:
      return [];
  }
}

function toolUsed(
  item: Fields | null,
  isCompleted: boolean,
  seen: Seen,
  used: { readonly tool: string; readonly detail: string },
): readonly AgentActivity[] {
  const id = textIn(item, 'id') ?? '';
  const isKnown = isCompleted ? seen.begun.delete(id) : seen.begun.has(id);
  if (!isCompleted) seen.begun.add(id);
  if (isKnown) return [];
  seen.toolCalls += 1;
  return [{ kind: 'tool-used', ...used }];
}

function diagnostics(text: string): AgentActivity {
  return { kind: 'output', stream: 'diagnostics', text: `${clipped(text)}\n` };
}

function endOf(
  seen: Seen,
  result: SpawnResult,
  { prompt, nowMs }: { readonly prompt: string; readonly nowMs: number },
): TurnEnd {
  const { lastText, toolCalls, usage, failed, lastError } = seen;
  const end = { message: lastText, toolCalls, ...(usage === undefined ? {} : { usage }) };
  const isFine = usage !== undefined && result.exitCode === 0 && result.signal === null;
  const error = failed ?? (isFine ? undefined : lastError);
  if (error !== undefined) return { ...end, failure: reportedFailure(reportedIn(error), result.exitCode, nowMs) };
  return isFine
    ? end
    : { ...end, failure: brokenStream(result, { prompt, command: 'codex' }, { isStream: seen.isStream, nowMs }) };
}

const STATUS = /\b(?:unexpected |last )?status:? (\d{3})\b/u;

/** The status is in a sentence of Codex itself, or the message is the body of the answer, unchanged. */
function reportedIn(message: string): FailureReport {
  const error = fieldsOf(fieldsOf(parseJson(message))?.['error'] ?? null);
  const text = textIn(error, 'message') ?? message;
  const code = [textIn(error, 'type'), textIn(error, 'code')].filter((word) => word !== undefined).join(' ');
  const status = error === null ? STATUS.exec(message)?.[1] : undefined;
  if (status !== undefined) return { status: Number(status), text };
  return { text: code === '' ? text : `${text} (${code})` };
}

/** Cached tokens are part of the input, reasoning tokens part of the output. */
function usageOf(usage: Fields | null): Usage {
  const [input, output] = [numberIn(usage, 'input_tokens'), numberIn(usage, 'output_tokens')];
  return { costUsd: 'unknown', tokens: input === undefined || output === undefined ? 'unknown' : input + output };
}
