import type { Event, Failure, SessionEvent, SessionStart } from '../core/event.ts';
import type { RawLine, TurnReport } from '../engine/ports.ts';
import type { Fields } from './fields.ts';
import { fieldsOf, isTrueIn, itemsIn, nameIn, numberIn, textIn } from './fields.ts';
import type { ReadAnswerWaits } from './answer-waits.ts';
import { dialogMsIn } from './answer-waits.ts';
import type { HostEnvironment, HostEvent } from './host.ts';
import type { HostId } from './ids.ts';
import { readLastWorkMs } from './last-work.ts';
import type { TranscriptFormat } from './transcript.ts';
import { lastMessageIn, turnTextIn } from './transcript.ts';
import { commandIn, typedCommand } from './typed-command.ts';
import type { WorkSigns } from './work-signs.ts';
import { SIGN_LIMITS } from './work-signs.ts';

/** The meaning of a host's event. */
type Meaning = 'stop' | 'failure' | 'abort' | 'session-start' | 'session-end' | 'prompt' | 'command' | 'tool';

/** How a host differs from Claude Code, whose payload most hosts adopted. */
export type PayloadRules = {
  readonly host: HostId;
  /** By the host's name of an event. An event that is not listed here is not ours. */
  readonly meanings: Readonly<Record<string, Meaning>>;
  /** A variable that names the project; the payload's `cwd` may follow the agent's `cd`. */
  readonly projectVariable?: string;
  /** The agent's last message, if it is in the payload. Otherwise the transcript is read. */
  readonly message?: (fields: Fields) => string | undefined;
  /** The format of the host's transcript; absent = the payload contains the message, or nothing does. */
  readonly transcript?: TranscriptFormat;
  /** The host reports a compaction as the start of a session, and adds our reply to the conversation. Measured on the real client. */
  readonly reportsCompactions?: true;
  /** Read the transcript first: the payload contains more than the last turn. */
  readonly transcriptFirst?: true;
  /** A text that the transcript contains once the whole turn is written to it; absent = it is always complete when a hook runs. */
  readonly awaited?: (fields: Fields) => string | undefined;
  /** Commands arrive as the text of a prompt. */
  readonly commandsInPrompts?: true;
  /** Extracts what the user typed from the prompt that the host made of it. */
  readonly typed?: (prompt: string) => string;
  /** Text added at the start of a session is far from the prompt there, or arrives too late, so the goal is repeated at the user's prompt. */
  readonly restatesAtPrompt?: true;
  /** The prompt is a notice of the host itself: the user did not write it. */
  readonly isNotice?: (prompt: string) => boolean;
  /** The host's name for the start of a new session; absent = the host does not distinguish. */
  readonly newSource?: string;
  /** Does the agent report with this tool call that the host's own goal is complete? */
  readonly isGoalMet?: (tool: string, input: unknown) => boolean;
  readonly failure?: (fields: Fields, environment: HostEnvironment) => Failure;
  /** How the transcript shows when the agent was last at work; absent = it does not. */
  readonly workSigns?: Pick<WorkSigns, 'work' | 'repeats'>;
  /** How the transcript shows when the agent waited for the user; absent = it does not. */
  readonly answerWaits?: ReadAnswerWaits;
  /** The host does not show the user the reply to a failed turn. */
  readonly hidesFailureReplies?: true;
  /** The host also reports a failed turn as a stop, and the transcript then contains no answer of the agent since the last prompt. */
  readonly silentWhenFailed?: true;
  /**
   * A unique name for this stop. For a host that runs the hooks of one stop one after the other, so that the second begins after the
   * decision (Copilot always, Qwen and Gemini if a hook requires it), or that reports stops without calling its model (Gemini). Claude
   * Code, Codex and Droid start them together, and our own plugins call once.
   */
  readonly stopName?: (fields: Fields, environment: HostEnvironment) => string | undefined;
  /** The field that is equal in all hooks of one prompt, but different for the next prompt, even with the same text. */
  readonly promptName?: 'message_id' | 'prompt_id' | 'timestamp' | 'turn_id';
  /**
   * Signs that something else may keep the session going: a file of the project in which another tool keeps a loop, or a text in the last
   * part of the transcript. A cheap test at every stop; the session is examined only if it finds a sign.
   */
  readonly otherLoopSigns?: { readonly file?: string; readonly transcript?: string };
  /** Further contents of a stop's report. */
  readonly report?: (fields: Fields, environment: HostEnvironment) => TurnReport;
};

/** Anything that keeps a session going leaves a sign in each turn, and few turns write more text than this. */
const OTHER_LOOP_BYTES_MAX = 256 * 1024;

type Happened = { readonly event: Event | SessionEvent; readonly report: TurnReport };

const DETAIL_CHARS_MAX = 1000;

export function decodePayload(
  rules: PayloadRules,
  payload: unknown,
  environment: HostEnvironment,
): HostEvent | 'not-ours' {
  const fields = fieldsOf(payload);
  const name = fields === undefined ? undefined : nameIn(fields, 'hook_event_name');
  if (fields === undefined || name === undefined || !Object.hasOwn(rules.meanings, name)) return 'not-ours';
  const meaning = rules.meanings[name];
  const { projectVariable } = rules;
  const project = projectVariable === undefined ? undefined : nameIn(environment.variables, projectVariable);
  const cwd = project ?? nameIn(fields, 'cwd');
  if (cwd === undefined) return 'not-ours';
  const hasOther = meaning === 'stop' && hasOtherLoopSign(rules, fields, cwd, environment);
  const named = promptNameIn(rules, meaning, fields);
  const happened = happenedIn(rules, meaning, fields, environment);
  if (happened === undefined) return 'not-ours';
  const id = nameIn(fields, 'session_id');
  return {
    session: id === undefined ? null : { host: rules.host, id },
    cwd,
    name,
    ...happened,
    transcriptPath: nameIn(fields, 'transcript_path') ?? null,
    stopHookActive: isTrueIn(fields, 'stop_hook_active'),
    ...named,
    ...(hasOther ? { mayHaveOtherLoop: true } : {}),
  };
}

function promptNameIn(
  { promptName: field }: PayloadRules,
  meaning: Meaning | undefined,
  fields: Fields,
): Pick<HostEvent, 'promptName'> {
  const isPrompt = meaning === 'prompt' || meaning === 'command';
  const promptName = isPrompt && field !== undefined ? nameIn(fields, field) : undefined;
  return promptName === undefined ? {} : { promptName };
}

function hasOtherLoopSign(
  { otherLoopSigns }: PayloadRules,
  fields: Fields,
  cwd: string,
  { exists, transcripts }: HostEnvironment,
): boolean {
  if (otherLoopSigns === undefined) return false;
  const { file, transcript: sign } = otherLoopSigns;
  if (file !== undefined && exists(`${cwd}/${file}`)) return true;
  const transcript = nameIn(fields, 'transcript_path');
  return (
    sign !== undefined && transcript !== undefined && transcripts.endIncludes(transcript, sign, OTHER_LOOP_BYTES_MAX)
  );
}

function happenedIn(
  rules: PayloadRules,
  meaning: Meaning | undefined,
  fields: Fields,
  environment: HostEnvironment,
): Happened | undefined {
  // This field marks a failed subagent in Claude Code, including one that writes a summary: that is not the session's turn.
  const isSubagents = nameIn(fields, 'agent_id') !== undefined;
  if (isSubagents && (meaning === 'stop' || meaning === 'failure')) return undefined;
  switch (meaning) {
    case 'stop':
      return stopOf(rules, fields, environment);
    case 'failure': {
      const { event } = failed(rules.failure?.(fields, environment) ?? TURN_FAILED);
      const unseen = rules.hidesFailureReplies === true ? ({ unseen: true } as const) : {};
      const lastWords = messageBeforeFailure(rules, fields, environment);
      return { event, report: { ...unseen, ...lastWords, ...waitsIn(rules, fields, environment) } };
    }
    case 'abort':
      return { event: { kind: 'turn-aborted', iteration: null, worker: null }, report: {} };
    case 'session-start': {
      const previous = nameIn(fields, 'previous_session_id');
      const how = startOf(rules, nameIn(fields, 'source'));
      return {
        event: { kind: 'session-started', how, ...(previous === undefined ? {} : { previous }) },
        report: idleIn(rules, fields, environment),
      };
    }
    case 'session-end':
      return { event: { kind: 'session-ended', ...switchIn(fields) }, report: idleIn(rules, fields, environment) };
    case 'prompt': {
      const text = textIn(fields, 'prompt') ?? '';
      const prompt = rules.typed?.(text) ?? text;
      // Qwen Code also reports the typed text, before it inserted files and commands.
      const typed = textIn(fields, 'submitted_prompt') ?? '';
      // A subagent's prompt was written by an agent, not typed by a user.
      const isTyped = rules.commandsInPrompts === true && !isSubagents;
      const command = isTyped ? (commandIn(typed) ?? commandIn(prompt)) : undefined;
      const restate = rules.restatesAtPrompt === true ? ({ restate: true } as const) : {};
      const byHost = rules.isNotice?.(prompt) === true ? ({ byHost: true } as const) : {};
      return {
        event: command ?? { kind: 'prompt-submitted', prompt, ...restate, ...byHost },
        report: idleIn(rules, fields, environment),
      };
    }
    case 'command': {
      if (isSubagents) return undefined;
      // A plugin's command is called `plugin:command`. Other plugins have commands with the same names.
      const [, plugin = '', name = ''] = /^(tireless:)?([^:]*)$/u.exec(nameIn(fields, 'command_name') ?? '') ?? [];
      const event = typedCommand(`/${plugin}`, name, textIn(fields, 'command_args') ?? '');
      return event === undefined ? undefined : { event, report: {} };
    }
    case 'tool': {
      const tool = nameIn(fields, 'tool_name') ?? '';
      const input = fields['tool_input'];
      const goal = rules.isGoalMet?.(tool, input) === true ? ({ saysGoalMet: true } as const) : {};
      return { event: { kind: 'tool-requested', tool, input, ...goal }, report: waitsIn(rules, fields, environment) };
    }
    case undefined:
      return undefined;
  }
}

/** The agent's message in a failed turn. Without details, the host shows its error as the message. */
function messageBeforeFailure(
  { transcript: format }: PayloadRules,
  fields: Fields,
  { transcripts }: HostEnvironment,
): Pick<TurnReport, 'message' | 'lastMessage'> {
  const message = textIn(fields, 'last_assistant_message') ?? '';
  const isError = nameIn(fields, 'error_details') === undefined || message.startsWith('API Error');
  if (!isError && message !== '') return { message };
  const transcript = nameIn(fields, 'transcript_path');
  if (transcript === undefined || format === undefined) return {};
  return { lastMessage: () => lastMessageIn(transcript, format, transcripts) ?? '' };
}

/** Until the transcript contains everything that came before this event. */
function awaitTranscript(
  { awaited }: PayloadRules,
  fields: Fields,
  { transcripts }: HostEnvironment,
  transcript: string,
): void {
  const text = awaited?.(fields);
  if (text !== undefined) transcripts.awaitText(transcript, text);
}

function waitsIn(rules: PayloadRules, fields: Fields, environment: HostEnvironment): Pick<TurnReport, 'dialogMs'> {
  const { answerWaits } = rules;
  const { transcripts } = environment;
  const transcript = nameIn(fields, 'transcript_path');
  // Our own plugins count it.
  if (answerWaits === undefined || transcript === undefined) return { dialogMs: () => numberIn(fields, 'waited_ms') };
  return {
    dialogMs: (sinceMs) => {
      awaitTranscript(rules, fields, environment, transcript);
      const read = (lines: Iterable<RawLine>) => answerWaits(lines, transcripts.textOf);
      const waits = transcripts.readBackwards(transcript, read, SIGN_LIMITS) ?? [];
      // In nearly every turn there are none, and the code that adds them up is not loaded.
      return waits.length === 0 ? 0 : dialogMsIn(waits, sinceMs);
    },
  };
}

function idleIn(
  rules: PayloadRules,
  fields: Fields,
  environment: HostEnvironment,
): Pick<TurnReport, 'idleMs' | 'dialogMs'> {
  const { workSigns } = rules;
  const transcript = nameIn(fields, 'transcript_path');
  const waits = waitsIn(rules, fields, environment);
  if (workSigns === undefined || transcript === undefined) return waits;
  return {
    ...waits,
    idleMs: () => {
      const seen = readLastWorkMs(transcript, workSigns, environment.transcripts);
      return seen === undefined ? undefined : Math.max(0, environment.nowMs() - seen);
    },
  };
}

function startOf({ newSource }: PayloadRules, source: string | undefined): SessionStart {
  if (source === 'compact') return 'compacted';
  return source !== undefined && source === newSource ? 'new' : 'returned';
}

/** Reasons for the end of a conversation in a program that continues with another one. */
const SWITCHES: ReadonlySet<string> = new Set(['clear', 'resume']);

function switchIn(fields: Fields): { readonly switches?: true } {
  return SWITCHES.has(nameIn(fields, 'reason') ?? '') ? { switches: true } : {};
}

const TURN_FAILED: Failure = { class: 'unknown', detail: 'the turn failed', unexplained: true };
const NO_ANSWER: Failure = {
  class: 'unknown',
  detail: 'the model gave no answer; see the session',
  unexplained: true,
};

function failed(failure: Failure): Happened {
  const detail = failure.detail.slice(0, DETAIL_CHARS_MAX);
  return { event: { kind: 'turn-failed', failure: { ...failure, detail }, iteration: null, worker: null }, report: {} };
}

/** Includes the last message, which may not be in the transcript yet. */
function turnTextOf(
  message: string,
  transcript: string,
  format: TranscriptFormat,
  { transcripts }: HostEnvironment,
): (reply: string) => string {
  return (reply) => {
    const text = turnTextIn(transcript, format, transcripts, reply);
    return text.endsWith(message) ? text : `${text}\n\n${message}`;
  };
}

/** A task that has ended. Qwen Code lists it as long as its session lasts. */
const ENDED = /^(?:completed|failed|cancelled|killed)$/u;

/** Without the `crons` of Qwen Code: nothing shows when they have run, so a loop would wait for them as long as they are scheduled. */
function backgroundIn(fields: Fields): Pick<TurnReport, 'backgroundWork' | 'backgroundTasks'> {
  const tasks = ['background_tasks', 'session_crons']
    .flatMap((name) => itemsIn(fields, name))
    .map((task) => fieldsOf(task) ?? {})
    .filter((task) => !ENDED.test(nameIn(task, 'status') ?? ''));
  if (tasks.length === 0) return { backgroundWork: false };
  const ids = tasks.flatMap((task) => nameIn(task, 'id') ?? []);
  return { backgroundWork: true, ...(ids.length === tasks.length ? { backgroundTasks: ids } : {}) };
}

function stopOf(rules: PayloadRules, fields: Fields, environment: HostEnvironment): Happened {
  const transcript = nameIn(fields, 'transcript_path');
  const background = backgroundIn(fields);
  const waits = waitsIn(rules, fields, environment);
  const inPayload = (): string | undefined => rules.message?.(fields) ?? textIn(fields, 'last_assistant_message');
  const inTranscript = (): string | undefined => {
    if (transcript === undefined || rules.transcript === undefined) return undefined;
    awaitTranscript(rules, fields, environment, transcript);
    return lastMessageIn(transcript, rules.transcript, environment.transcripts) ?? undefined;
  };
  const found = rules.transcriptFirst === true ? (inTranscript() ?? inPayload()) : (inPayload() ?? inTranscript());
  const exists = (): boolean => transcript !== undefined && environment.bytesOf(transcript) !== null;
  if (rules.silentWhenFailed === true && found === undefined && exists()) return failed(NO_ANSWER);
  const message = found ?? '';
  const stop = rules.stopName?.(fields, environment);
  const mark = { messageHash: environment.hashText(message), ...(stop === undefined ? {} : { stop }) };
  return {
    event: { kind: 'turn-ended', iteration: null, worker: null, mark },
    report: {
      message,
      ...background,
      sentBack: isTrueIn(fields, 'stop_hook_active'),
      beganMs: environment.beganMs,
      ...waits,
      ...(rules.reportsCompactions === true ? { remembers: true as const } : {}),
      ...(transcript === undefined || rules.transcript === undefined
        ? {}
        : { turnText: turnTextOf(message, transcript, rules.transcript, environment) }),
      ...rules.report?.(fields, environment),
    },
  };
}
