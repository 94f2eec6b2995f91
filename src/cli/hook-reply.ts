import path from 'node:path';
import type { Event } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import { promptOf } from '../core/prompt.ts';
import type { Reply } from '../core/reply.ts';
import type { Dialect, ReplyForm, Words } from '../dialects/dialect.ts';
import { replyIn } from '../dialects/dialect.ts';
import type { Extras } from '../engine/dialect-loop.ts';
import type { Host, HostEvent } from '../hosts/host.ts';
import { systemClock } from '../system/clock.ts';
import { readTextIfExists } from '../system/files.ts';
import { filesIn, handleInFiles } from './hook-dialect.ts';
import { noticeOf } from './hook-notice.ts';
import { projectDirectory } from './project.ts';
import type { DialectWays, Reminder, World } from './services.ts';

/** A document's pause between iterations is spent here, within the time every host gives a hook. */
const DELAY_MS_MAX = 30_000;

const SILENT = { goesOn: false, text: '', reason: 'no active loop' } as const;

type Asked = {
  readonly dialect: Dialect;
  readonly form: ReplyForm;
  readonly extras: Extras;
  /** The list of TODOs that was typed, for a document that reminds of them. */
  readonly todos: string | undefined;
};

/** A stop in a project where the user enabled a dialect: answered in the document's words and way. */
export async function dialectReply(event: HostEvent | 'not-ours', asked: Asked, world: World): Promise<Reply> {
  const { dialect, form, extras } = asked;
  if (event === 'not-ours' || event.session === null) return replyIn(form, SILENT);
  const project = projectDirectory(event.cwd, world.cwd);
  const ways = await world.services.ways(dialect.name);
  if (asked.todos !== undefined && ways.remind === undefined)
    throw new Fault(
      'USAGE',
      `Cannot use --todos with --dialect ${dialect.name}: it reminds of no TODOs. Leave it out.`,
    );
  const turn = turnOf(event);
  if (event.event.kind === 'prompt-submitted' && ways.remind !== undefined) {
    const { todos } = asked;
    return reminding(form, await ways.remind({ project, session: event.session.id, todos, env: world.env }));
  }
  if (turn === null) return announcing(event, { ...asked, project, ways });
  if (ways.stop !== undefined) {
    if (event.report.backgroundWork === true) return replyIn(form, SILENT);
    const { message = '' } = event.report;
    const failure = turn.kind === 'turn-failed' ? turn.failure.detail : null;
    return told(form, await ways.stop({ project, session: event.session.id, message, failure, extras }));
  }
  const { effects } = await world.services.session();
  const handled = await handleInFiles(
    { dialect, project, session: event.session, event: turn, report: event.report, extras },
    effects,
  );
  const { decision, reading, loaded } = handled;
  if (decision.kind === 'continue') await systemClock().sleep(Math.min(decision.delayMs, DELAY_MS_MAX)).done;
  const words = dialect.wordsFor({ decision, reading, loop: loaded ?? null });
  const notice = words.notice ?? noticeOf({ decision, reading, loop: loaded?.state.loop ?? null });
  return told(form, { ...words, ...(notice === null ? {} : { notice }) });
}

/** In the forms without a field for the user stderr is all there is; when the agent goes on it belongs to the agent. */
function told(form: ReplyForm, words: Words): Reply {
  const reply = replyIn(form, words);
  return form === 'json' || words.goesOn || words.notice === undefined
    ? reply
    : { ...reply, stderr: `${words.notice}\n` };
}

/** A new session hears of the loop it comes into. No loop is moved by that. */
function announcing(
  { event, session }: HostEvent,
  { dialect, form, project, ways }: Asked & { readonly project: string; readonly ways: DialectWays },
): Reply {
  if (event.kind !== 'session-started' || ways.announce === undefined || session === null) return replyIn(form, SILENT);
  for (const file of filesIn(dialect, project, session.id)) {
    const text = readTextIfExists(path.join(project, file));
    const additionalContext = text === undefined ? null : ways.announce(text);
    if (additionalContext === null) continue;
    return context('SessionStart', additionalContext);
  }
  return replyIn(form, SILENT);
}

/** In the exit form plain text: what a prompt hook prints is read before the prompt. A reminder never holds a prompt up. */
function reminding(form: ReplyForm, { text, notice }: Reminder): Reply {
  if (text === '') return told(form, { ...SILENT, ...(notice === undefined ? {} : { notice }) });
  return form === 'exit' ? { stdout: `${text}\n`, stderr: '', exitCode: 0 } : context('UserPromptSubmit', text);
}

function context(hookEventName: string, additionalContext: string): Reply {
  const reply = { hookSpecificOutput: { hookEventName, additionalContext } };
  return { stdout: `${JSON.stringify(reply)}\n`, stderr: '', exitCode: 0 };
}

/** A stop of a session for which a loop was armed. A loop in a foreign file wakes only where its dialect was enabled. */
export async function nativeReply(host: Host, event: HostEvent | 'not-ours', world: World): Promise<Reply> {
  const nothing = { decision: { kind: 'abstain', because: 'no-loop' }, prompt: '', notice: null } as const;
  const turn = event === 'not-ours' ? null : turnOf(event);
  if (event === 'not-ours' || event.session === null || turn === null) return host.encode(nothing);
  const store = await world.services.store();
  const loop = store.loopOfSession(event.session);
  const armed = loop === undefined ? undefined : store.load(loop);
  if (loop === undefined || armed === undefined || armed.spec.dialect !== undefined) return host.encode(nothing);
  // The user took the loop to another session: this one is left alone.
  const owner = armed.state.session;
  if (owner !== null && (owner.host !== event.session.host || owner.id !== event.session.id))
    return host.encode(nothing);
  const control = await world.services.control();
  const { decision, loaded } = await control.post(loop, turn, event.report);
  if (decision.kind === 'continue') await systemClock().sleep(Math.min(decision.delayMs, DELAY_MS_MAX)).done;
  const prompt = decision.kind === 'continue' && loaded !== undefined ? promptOf(loaded.spec, loaded.state) : '';
  return host.encode({ decision, prompt, notice: noticeOf({ decision, loop }) });
}

/** What moves a loop; the rest of a session's life does not. */
function turnOf({ event }: HostEvent): Event | null {
  return event.kind === 'session-started' || event.kind === 'prompt-submitted' ? null : event;
}

/**
 * Something failed in us or around us: the agent may stop, and the user is told on every way there is. Never exit code 2, which would
 * keep the agent going.
 */
export function faultReply(form: ReplyForm, failure: string): Reply {
  const [said = '', ...rest] = failure.trim().split('\n');
  const notice = `${[said, ...rest.slice(0, 1)].join(' ')} (The agent was allowed to stop.)`;
  const stdout =
    form === 'ok' ? JSON.stringify({ ok: true, reason: notice }) : JSON.stringify({ systemMessage: notice });
  return { stdout: `${stdout}\n`, stderr: failure, exitCode: 0 };
}
