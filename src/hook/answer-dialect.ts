import path from 'node:path';
import type { Event } from '../core/event.ts';
import { isSessionEvent } from '../core/event.ts';
import { Fault } from '../core/fault.ts';
import { isSameSession } from '../core/loop.ts';
import type { Reply } from '../core/reply.ts';
import type { Dialect, ReplyForm, Words } from '../dialects/dialect.ts';
import { replyIn } from '../dialects/dialect.ts';
import type { DialectExtras, Reminder } from '../engine/dialect-extras.ts';
import type { Extras } from '../engine/dialect-loop.ts';
import { loopOfFile } from '../engine/dialect-loop.ts';
import { runAsync } from '../engine/pipeline.ts';
import { handleToolRequest } from '../engine/tool-request.ts';
import type { Host, HostEvent } from '../hosts/host.ts';
import { systemClock } from '../system/clock.ts';
import { readTextIfExists } from '../system/files.ts';
import { removeLeftoversOf } from '../system/leftovers.ts';
import { filesIn, handleInFiles } from './dialect-files.ts';
import { noticeOf } from './notices.ts';
import { projectDirectory } from '../cli/project.ts';
import type { World } from '../cli/services.ts';

/** A document's pause between iterations is spent here, within the time every host gives a hook. */
const DELAY_MS_MAX = 30_000;

const SILENT = { goesOn: false, text: '', reason: 'no active loop' } as const;

type Asked = {
  readonly host: Host;
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
  const beside = await world.services.dialectExtras(dialect.name);
  if (asked.todos !== undefined && beside.remind === undefined)
    throw new Fault(
      'USAGE',
      `Cannot use --todos with --dialect ${dialect.name}: it reminds of no TODOs. Leave it out.`,
    );
  if (event.event.kind === 'tool-requested') return toolReply(event, { ...asked, project }, world);
  const turn = turnOf(event);
  if (event.event.kind === 'prompt-submitted' && beside.remind !== undefined) {
    const { todos } = asked;
    return reminding(form, await beside.remind({ project, session: event.session.id, todos, env: world.env }));
  }
  if (turn === null) return announcing(event, { ...asked, project, beside }, world);
  if (beside.stop !== undefined) {
    if (event.report.backgroundWork === true || event.report.userFirst === true) return replyIn(form, SILENT);
    const { session, report } = event;
    return told(form, await beside.stop({ project, session, event: turn, report, extras, delayMaxMs: DELAY_MS_MAX }));
  }
  const { effects } = await world.services.session();
  const handled = await handleInFiles(
    { dialect, project, session: event.session, event: turn, report: event.report, extras },
    effects,
  );
  beside.settle?.(project);
  const { decision, reading, loaded } = handled;
  if (decision.kind === 'continue') await systemClock().sleep(Math.min(decision.delayMs, DELAY_MS_MAX)).done;
  const words = dialect.wordsFor({ decision, reading, loop: loaded ?? null });
  // Documents end in their own words, or in none.
  const own = decision.kind === 'complete' ? null : noticeOf({ decision, reading, loop: loaded?.state.loop ?? null });
  const notice = words.notice ?? own;
  return told(form, { ...words, ...(notice === null ? {} : { notice }) });
}

/** In the forms without a field for the user stderr is all there is; when the agent goes on it belongs to the agent. */
function told(form: ReplyForm, words: Words): Reply {
  const reply = replyIn(form, words);
  return form === 'json' || words.goesOn || words.notice === undefined
    ? reply
    : { ...reply, stderr: `${words.notice}\n` };
}

/**
 * Documents know no tools: whatever the form, the answer is in the words of the host. The time is the one the loop was started with; one
 * that is typed now holds from now on. Before the first stop a file has no loop, and nothing is refused.
 */
async function toolReply(
  { session, name }: HostEvent,
  { host, dialect, extras, project }: Asked & { readonly project: string },
  world: World,
): Promise<Reply> {
  const { effects } = await world.services.session();
  for (const file of session === null ? [] : filesIn(dialect, project, session.id)) {
    const loaded = await runAsync(loopOfFile({ live: { dialect, path: path.join(project, file) } }), effects);
    if (loaded === undefined || !isSameSession(loaded.state.session, session)) continue;
    const answer = await runAsync(handleToolRequest(loaded.state.loop, extras.timing?.iterationTimeoutMs), effects);
    if (answer.kind === 'deny') return host.encode({ kind: 'refuse', reason: answer.reason, name, notice: null });
  }
  return host.encode({ kind: 'silent', name, notice: null });
}

/** A new session hears of the loop it comes into. No loop is moved by that. Nobody waits here as at a stop: what is left is tidied. */
async function announcing(
  { event, session }: HostEvent,
  { dialect, form, project, beside }: Asked & { readonly project: string; readonly beside: DialectExtras },
  world: World,
): Promise<Reply> {
  if (event.kind !== 'session-started' || session === null) return replyIn(form, SILENT);
  for (const file of filesIn(dialect, project, session.id)) removeLeftoversOf(path.join(project, file));
  if (beside.announce === undefined) return replyIn(form, SILENT);
  for (const file of filesIn(dialect, project, session.id)) {
    const live = { dialect, path: path.join(project, file) };
    const text = readTextIfExists(live.path);
    if (text === undefined) continue;
    const { effects } = await world.services.session();
    const loop = (await runAsync(loopOfFile({ live }), effects)) ?? null;
    const additionalContext = beside.announce(text, { session, loop });
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

/** What moves a loop; the rest of a session's life does not. */
function turnOf({ event }: HostEvent): Event | null {
  return isSessionEvent(event) ? null : event;
}

/**
 * Something failed in us or around us: the agent may stop, and the user is told on every way there is. Never exit code 2, which would
 * keep the agent going.
 */
export function faultReply(form: ReplyForm, failure: string): Reply {
  const notice = faultNotice(failure);
  const stdout =
    form === 'ok' ? JSON.stringify({ ok: true, reason: notice }) : JSON.stringify({ systemMessage: notice });
  return { stdout: `${stdout}\n`, stderr: failure, exitCode: 0 };
}

function faultNotice(failure: string): string {
  const [said = '', ...rest] = failure.trim().split('\n');
  return `${[said, ...rest.slice(0, 1)].join(' ')} (The agent was allowed to stop.)`;
}

/** The same for a session of its own: in the words of its host, where the host can be told apart at all. */
export function hostFaultReply(host: Host | undefined, name: string, failure: string): Reply {
  if (host === undefined) return faultReply('json', failure);
  return { ...host.encode({ kind: 'silent', name, notice: faultNotice(failure) }), stderr: failure, exitCode: 0 };
}
