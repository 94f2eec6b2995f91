import type { Failure } from '../../core/event.ts';
import type { Fields } from '../fields.ts';
import { nameIn } from '../fields.ts';
import type { HostEnvironment, HostEvent } from '../host.ts';
import type { PayloadRules } from '../shared-payload.ts';
import { decodePayload } from '../shared-payload.ts';
import { commandIn } from '../typed-command.ts';
import { readAnswerWaits } from './answer-waits.ts';
import { classifyFailure, failureDetail } from './failure-words.ts';
import { TRANSCRIPT } from './transcript.ts';
import { readTurnSigns } from './turn-signs.ts';
import { WORK_SIGNS } from './work-signs.ts';

export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';

/** Subagents and compactions report `SubagentStop`: their stops are never the session's. */
const RULES: PayloadRules = {
  host: 'claude-code',
  meanings: {
    Stop: 'stop',
    StopFailure: 'failure',
    SessionStart: 'session-start',
    SessionEnd: 'session-end',
    UserPromptSubmit: 'prompt',
    UserPromptExpansion: 'command',
    PreToolUse: 'tool',
  },
  projectVariable: PROJECT_VARIABLE,
  promptName: 'prompt_id',
  transcript: TRANSCRIPT,
  reportsCompactions: true,
  failure: failureOf,
  isNotice: (prompt) => prompt.startsWith('<task-notification>') || isCommand(prompt),
  hidesFailureReplies: true,
  workSigns: WORK_SIGNS,
  answerWaits: readAnswerWaits,
  // Its hook before a tool may begin before the result of the last tool is written.
  awaited: (fields) => nameIn(fields, 'tool_use_id'),
  otherLoopSigns: { file: '.claude/ralph-loop.local.md', transcript: '"type":"goal_status"' },
  report: (fields, { transcripts, variables }) => {
    const transcript = nameIn(fields, 'transcript_path');
    const signs = transcript === undefined ? undefined : readTurnSigns(transcript, transcripts);
    const repliesInRowMax = blockCap(nameIn(variables, 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'));
    return {
      // Measured: text typed in the meantime reaches the agent when the turn ends, so an agent that is sent back never receives it.
      ...(signs?.messageWaits === true ? { userFirst: true } : {}),
      // Avoids reading a long turn a second time.
      ...(signs?.dialogAnswered === false ? { dialogMs: () => 0 } : {}),
      ...(repliesInRowMax === null ? {} : { repliesInRowMax }),
      ...(repliesInRowMax !== null && signs?.toolUsed() === true ? { newRow: true } : {}),
    };
  },
};

/** A command is answered by tireless. The agent gets no word of it, also when it is refused: it never answers the agent's question. */
function isCommand(prompt: string): boolean {
  return commandIn(prompt) !== undefined;
}

const BLOCK_CAP_DEFAULT = 8;
/** No loop has this many replies in a row without a tool call, so the transcript need not be searched. */
const BLOCK_CAP_LARGE = 1000;

export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  return decodePayload(RULES, payload, environment);
}

/** As Claude Code reads it, including from the `env` of its settings, which its hooks receive too. `null` = there is no cap. */
function blockCap(text: string | undefined): number | null {
  const number = Number.parseInt(text ?? '', 10);
  const cap = Number.isNaN(number) ? BLOCK_CAP_DEFAULT : number;
  return cap <= 0 || cap >= BLOCK_CAP_LARGE ? null : cap;
}

function failureOf(fields: Fields, { nowMs }: HostEnvironment): Failure {
  // Most failures come without details; the message then has what the user saw.
  const words = nameIn(fields, 'error_details') ?? nameIn(fields, 'last_assistant_message');
  const detail = failureDetail(nameIn(fields, 'error'), words);
  return { ...classifyFailure(detail, nowMs()), detail };
}
