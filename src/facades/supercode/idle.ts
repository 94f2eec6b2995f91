import { findClaim } from '../../core/claim.ts';
import { turnEnded } from '../../core/event.ts';
import type { LoopId } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { deliveredPrompts } from '../../core/prompt.ts';
import { readJson } from '../../dialects/json-file.ts';
import { setBackText } from '../../dialects/set-back.ts';
import { supercodeClaim } from '../../dialects/supercode/read.ts';
import { supercodeNews, supercodeToast } from '../../dialects/supercode/words.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import type { Loaded } from '../../engine/ports.ts';
import { isUserMessage, member } from './agent-words.ts';
import type { Delivery } from './delivery.ts';
import type { ConversationMark, KnownMark } from './conversation-mark.ts';
import { markOf, isPromptIn, newAgentMessages, showsNewestOnly } from './conversation-mark.ts';
import type { LoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { Message, RalphLoopConfig, RalphLoopState, Toast } from './ralph-loop.ts';
import type { Recovery } from './recovery.ts';

/** Everything a hook works with. */
export type HookWorld = {
  readonly config: RalphLoopConfig;
  readonly file: LoopFile;
  readonly delivery: Delivery;
  readonly recovery: Recovery;
  /** How much of each session has been heard, and by which loop. */
  readonly marks: Map<string, { readonly loop: LoopId; readonly at: ConversationMark }>;
  readonly injectPrompt: (sessionId: string, prompt: string) => Promise<void>;
  readonly getMessages: (sessionId: string) => Promise<Message[]>;
  readonly checkSessionExists: ((sessionId: string) => Promise<boolean>) | undefined;
  readonly showToast: (toast: Toast) => void;
};

/** A session stopped. Throws whatever `getMessages` and the engine throw. */
export async function handleIdle(world: HookWorld, sessionId: string): Promise<void> {
  const { file, recovery, delivery } = world;
  if (recovery.isOn(sessionId)) {
    Log.info(`[${HOOK_NAME}] Skipped: in recovery`, { sessionId });
    return;
  }
  const state = file.read();
  if (state?.active === true && state.sessionId !== '' && state.sessionId !== sessionId)
    return clearOrphan(world, state.sessionId, sessionId);
  if (!delivery.hasWindow) delivery.flush(sessionId);
  const before = file.loop();
  const messages = state?.active === true ? await world.getMessages(sessionId) : [];
  const loop = file.loop();
  // Another loop or iteration began while `getMessages` was running: this stop belongs to one that has ended.
  if (stopOf(before) !== stopOf(loop)) {
    Log.info(`[${HOOK_NAME}] Skipped: the stop of an iteration that is over`, { sessionId });
    return;
  }

  const prompts = loop === undefined || isEnded(loop.state) ? [] : deliveredPrompts(loop.spec, loop.state);
  const known = state === null ? [] : knownOf(world, sessionId, state, loop);
  const sentBack = loop !== undefined && isOwnTurn(loop, messages);
  // If a host shows only one message, that message is new if it comes after our prompt, whatever it says.
  const isNewest = sentBack && loop.state.phase === 'working' && showsNewestOnly(messages);
  const agentMessages = newAgentMessages(messages, {
    known: isNewest ? [] : known,
    goal: state?.prompt ?? '',
    prompt: prompts.at(-1),
  });
  const message = agentMessages.join('\n\n');
  if (before?.state.status === 'running' && before.state.phase === 'ready') {
    // Its prompt is still on its way, or never arrived. Only with a claim is this the stop of that iteration.
    const isClaimed = findClaim(supercodeClaim(state?.completionPromise ?? ''), message, () => prompts).made !== null;
    if (isClaimed) file.begin(sessionId, before.state.loop);
    // If a host shows no prompts, two stops look like one reported twice. Each counts, as in the document.
    else if (delivery.isPending(sessionId) && !messages.some(isUserMessage)) delivery.flush(sessionId);
    else if (delivery.isPending(sessionId) || loop?.state.phase === 'working') return;
  }
  const { hash, count } = markOf(messages);
  // A stop reported twice is recognised by its words; a host that shows no words looks the same as a silent agent.
  const mark = agentMessages.length === 0 || isNewest ? undefined : { messageHash: hash, transcriptBytes: count };
  const handled = file.post(sessionId, turnEnded(mark), { message, sentBack });
  answer(world, sessionId, handled);
  const { decision, loaded } = handled;
  if (loaded !== undefined && decision.kind !== 'abstain') {
    world.marks.set(sessionId, { loop: loaded.state.loop, at: { hash, count } });
    noteSeenLoop(loaded.state.loop);
    if (isEnded(loaded.state)) keepMark(world, loaded.state.loop, { hash, count });
  }
}

/** Did the loop ask for this turn? The agent may rewrite the file in it, and a counter that it lowers is not a new loop. */
function isOwnTurn({ spec, state }: Loaded, messages: readonly Message[]): boolean {
  if (state.status !== 'running' || state.counted === 0) return false;
  const last = messages.findLast(isUserMessage);
  return last === undefined || deliveredPrompts(spec, state).some((prompt) => isPromptIn(last, prompt));
}

/** The most recent loops whose stops were heard in this process, by any of its hooks. */
const seenLoops = new Set<LoopId>();
const SEEN_LOOPS_MAX = 1000;

function noteSeenLoop(loop: LoopId): void {
  seenLoops.delete(loop);
  seenLoops.add(loop);
  const [oldest] = seenLoops;
  if (seenLoops.size > SEEN_LOOPS_MAX && oldest !== undefined) seenLoops.delete(oldest);
}

/** A loop ends before its stop was heard: everything said so far does not belong to the next loop. */
export async function rememberMessages(world: HookWorld, sessionId: string): Promise<void> {
  try {
    const loop = world.file.loop()?.state.loop;
    if (loop === undefined) return;
    noteSeenLoop(loop);
    const at = markOf(await world.getMessages(sessionId));
    // Only what arrives before the next loop begins was certainly said before it.
    if (world.file.loop()?.state.loop !== loop) return;
    world.marks.set(sessionId, { loop, at });
    keepMark(world, loop, at);
  } catch (error) {
    Log.warn(`[${HOOK_NAME}] Failed to count messages`, { sessionId, error: String(error) });
  }
}

/** For the session's next loop, in any process. Without it an old claim may count again, which is no reason to fail. */
function keepMark({ file }: HookWorld, loop: LoopId, at: ConversationMark): void {
  try {
    file.keep(loop, JSON.stringify(at));
  } catch (error) {
    Log.warn(`[${HOOK_NAME}] Failed to keep how far the session was heard`, { error: String(error) });
  }
}

function knownOf(world: HookWorld, sessionId: string, state: RalphLoopState, loop: Loaded | undefined): KnownMark[] {
  const current = loop === undefined || isEnded(loop.state) ? undefined : loop;
  const remembered = world.marks.get(sessionId);
  const known: KnownMark[] = [];
  // If the file has another promise, nothing has been judged yet.
  const isJudged = current?.spec.claim.texts[0] === state.completionPromise;
  if (remembered !== undefined) {
    const isCurrent = remembered.loop === current?.state.loop;
    if (!isCurrent || isJudged) known.push({ at: remembered.at, from: isCurrent ? 'this-loop' : 'earlier-loop' });
  }
  const own = current === undefined ? undefined : markInJournal(current);
  if (own !== undefined && isJudged) known.push({ at: own, from: 'this-loop' });
  if (known.length === 0) {
    for (const each of world.file.earlier(sessionId).toReversed()) {
      const marks = [markInJournal(each), ...world.file.recalled(each.state.loop).map(readMark)];
      const from = seenLoops.has(each.state.loop) ? 'other-hook' : 'other-process';
      known.push(...marks.flatMap((at): KnownMark[] => (at === undefined ? [] : [{ at, from }])));
      if (known.length > 0) break;
    }
  }
  return known;
}

/** How much of its session a loop had heard at its last stop. */
function markInJournal({ state }: Loaded): ConversationMark | undefined {
  const { messageHash: hash, transcriptBytes: count } = state.lastTurn ?? {};
  return hash === undefined || count === undefined ? undefined : { hash, count };
}

function readMark(text: string): ConversationMark | undefined {
  const value = readJson(text);
  const [count, hash] = [member(value, 'count'), member(value, 'hash')];
  return typeof count === 'number' && typeof hash === 'string' ? { count, hash } : undefined;
}

/** Identifies the iteration that a stop now would end. */
function stopOf(loaded: Loaded | undefined): string {
  return loaded === undefined ? '' : `${loaded.state.loop} ${loaded.state.counted}`;
}

function answer({ delivery, showToast }: HookWorld, sessionId: string, handled: DialectHandled): void {
  const { decision, loaded } = handled;
  const toast = supercodeToast(answerOf(handled));
  const news = supercodeNews(answerOf(handled));
  if (news !== null) Log.info(`[${HOOK_NAME}] ${news.message}`, { sessionId, ...news.details });
  else if (toast !== null) Log.warn(`[${HOOK_NAME}] ${toast.title}: ${toast.message}`, { sessionId });
  if (toast !== null) showToast(toast);
  const message = setBackText(handled);
  if (message !== null) {
    Log.warn(`[${HOOK_NAME}] ${message}`, { sessionId });
    showToast({ title: 'Ralph Loop', message, variant: 'warning', duration: 5000 });
  }
  // `not-awaited`: the last prompt was never delivered (its injection failed, or the program ended before it).
  const isDue =
    decision.kind === 'continue' ||
    (decision.kind === 'abstain' && decision.because === 'not-awaited' && loaded?.state.phase === 'ready');
  if (isDue && loaded !== undefined) delivery.schedule(sessionId, loaded.state.loop);
  else delivery.forget(sessionId);
}

/** Another session's loop is left alone, unless that session is known to be gone. */
async function clearOrphan({ file, checkSessionExists }: HookWorld, owner: string, sessionId: string): Promise<void> {
  if (checkSessionExists === undefined) return;
  try {
    if (await checkSessionExists(owner)) return;
  } catch (error) {
    Log.warn(`[${HOOK_NAME}] Failed to look for the owner`, { owner, error: String(error) });
    return;
  }
  // The file may have changed hands in the meantime, and nothing of the old owner is left to end.
  if (file.end(owner) === 'ended')
    Log.info(`[${HOOK_NAME}] Cleared orphaned state`, { orphanedSessionId: owner, currentSessionId: sessionId });
}
