import type { Event, Failure } from '../../core/event.ts';
import type { TurnReport } from '../../engine/ports.ts';
import type { Fields } from '../fields.ts';
import { fieldsOf, hasItemsIn, isTrueIn, nameIn, textIn } from '../fields.ts';
import type { HostEnvironment, HostEvent, SessionEvent } from '../host.ts';

const DETAIL_CHARS_MAX = 1000;
/** Errors of the service that pass by themselves. */
const TRANSIENT: ReadonlySet<string> = new Set(['rate_limit', 'server_error', 'overloaded', 'overloaded_error']);

/** A hook payload of Claude Code (2.1). Subagents and compactions report `SubagentStop`: their stops are never the session's. */
export function decode(payload: unknown, environment: HostEnvironment): HostEvent | 'not-ours' {
  const fields = fieldsOf(payload);
  if (fields === undefined) return 'not-ours';
  const happened = eventOf(fields, environment);
  if (happened === undefined) return 'not-ours';
  const id = nameIn(fields, 'session_id');
  const cwd = nameIn(environment.variables, 'CLAUDE_PROJECT_DIR') ?? nameIn(fields, 'cwd');
  if (cwd === undefined) return 'not-ours';
  return {
    session: id === undefined ? null : { host: 'claude-code', id },
    // `cwd` follows the agent's `cd`; the project directory does not.
    cwd,
    ...happened,
    transcriptPath: nameIn(fields, 'transcript_path') ?? null,
    stopHookActive: isTrueIn(fields, 'stop_hook_active'),
  };
}

type Happened = { readonly event: Event | SessionEvent; readonly report: TurnReport };

function eventOf(fields: Fields, environment: HostEnvironment): Happened | undefined {
  switch (nameIn(fields, 'hook_event_name') ?? '') {
    case 'Stop':
      return stopOf(fields, environment);
    case 'StopFailure':
      return {
        event: { kind: 'turn-failed', failure: failureOf(fields), iteration: null, worker: null },
        report: {},
      };
    case 'SessionStart':
      return { event: { kind: 'session-started', source: nameIn(fields, 'source') ?? 'startup' }, report: {} };
    case 'UserPromptSubmit':
      return { event: { kind: 'prompt-submitted', prompt: textIn(fields, 'prompt') ?? '' }, report: {} };
    default:
      return undefined;
  }
}

function stopOf(fields: Fields, { hashText, bytesOf, lastMessageIn }: HostEnvironment): Happened {
  const transcript = nameIn(fields, 'transcript_path');
  const message =
    textIn(fields, 'last_assistant_message') ?? (transcript === undefined ? null : lastMessageIn(transcript)) ?? '';
  // Without a transcript two stops with the same words cannot be told from one that was reported twice: then each counts.
  const transcriptBytes = transcript === undefined ? null : bytesOf(transcript);
  const mark = transcriptBytes === null ? {} : { mark: { messageHash: hashText(message), transcriptBytes } };
  return {
    event: { kind: 'turn-ended', iteration: null, worker: null, ...mark },
    report: {
      message,
      backgroundWork: hasItemsIn(fields, 'background_tasks') || hasItemsIn(fields, 'session_crons'),
      sentBack: isTrueIn(fields, 'stop_hook_active'),
    },
  };
}

function failureOf(fields: Fields): Failure {
  const error = nameIn(fields, 'error') ?? 'unknown';
  const detail = [error, nameIn(fields, 'error_details')].filter((part) => part !== undefined).join(': ');
  return { class: TRANSIENT.has(error) ? 'transient' : 'unknown', detail: detail.slice(0, DETAIL_CHARS_MAX) };
}
