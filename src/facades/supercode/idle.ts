import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { answerOf } from '../../engine/dialect-loop.ts';
import type { Loaded } from '../../engine/ports.ts';
import { supercodeNews, supercodeToast } from '../../dialects/supercode/words.ts';
import type { Delivery } from './delivery.ts';
import type { Heard } from './detector.ts';
import { heardIn, saidSince } from './detector.ts';
import type { LoopFile } from './loop-file.ts';
import { Log } from './log.ts';
import { HOOK_NAME } from './ralph-loop.ts';
import type { Message, RalphLoopConfig, Toast } from './ralph-loop.ts';
import type { Recovery } from './recovery.ts';

/** What one hook has around it. */
export type HookWorld = {
  readonly config: RalphLoopConfig;
  readonly file: LoopFile;
  readonly delivery: Delivery;
  readonly recovery: Recovery;
  /** Where the conversation stood when its iteration began: older messages, of an earlier loop, say nothing about this one. */
  readonly begunAt: Map<string, { readonly iteration: string; readonly heard: Promise<Heard | undefined> }>;
  readonly getMessages: (sessionId: string) => Promise<Message[]>;
  readonly checkSessionExists: ((sessionId: string) => Promise<boolean>) | undefined;
  readonly showToast: (toast: Toast) => void;
};

/** A session stopped. Throws what `getMessages` and the engine throw. */
export async function handleIdle(world: HookWorld, sessionId: string): Promise<void> {
  const { file, recovery, delivery } = world;
  if (recovery.isOn(sessionId)) {
    Log.info(`[${HOOK_NAME}] Skipped: in recovery`, { sessionId });
    return;
  }
  if (delivery.isPending(sessionId)) return;
  const state = file.read();
  if (state?.active === true && state.sessionId !== '' && state.sessionId !== sessionId)
    return clearOrphan(world, state.sessionId, sessionId);

  const messages = state?.active === true ? await world.getMessages(sessionId) : [];
  const begun = world.begunAt.get(sessionId);
  // What is remembered of another loop, or of an iteration that another process went on from, says nothing about this one.
  const said = saidSince(messages, begun?.iteration === iterationOf(file.loop()) ? await begun.heard : undefined);
  const message = said.join('\n\n');
  const { hash, count } = heardIn(messages);
  // The same stop reported twice is known by what was said; a host that shows us nothing cannot be told apart from a silent agent.
  const mark = said.length === 0 ? {} : { mark: { messageHash: hash, transcriptBytes: count } };
  const handled = file.post(sessionId, { kind: 'turn-ended', iteration: null, worker: null, ...mark }, { message });
  answer(world, sessionId, handled);
  if (handled.decision.kind === 'continue')
    world.begunAt.set(sessionId, {
      iteration: iterationOf(handled.loaded),
      heard: Promise.resolve({ hash, count }),
    });
}

/** Asked for now; answered when the host does. Not knowing is no fault: see `saidSince`. */
export function rememberMessages(world: HookWorld, sessionId: string): void {
  const hear = async (): Promise<Heard | undefined> => {
    try {
      return heardIn(await world.getMessages(sessionId));
    } catch (error) {
      Log.warn(`[${HOOK_NAME}] Failed to count messages`, { sessionId, error: String(error) });
      return undefined;
    }
  };
  world.begunAt.set(sessionId, { iteration: iterationOf(world.file.loop()), heard: hear() });
}

/** The name of the iteration that a loop is in. */
function iterationOf(loaded: Loaded | undefined): string {
  return loaded === undefined ? '' : `${loaded.state.loop} ${loaded.state.counted + 1}`;
}

function answer({ delivery, showToast }: HookWorld, sessionId: string, handled: DialectHandled): void {
  const { decision, loaded } = handled;
  const toast = supercodeToast(answerOf(handled));
  const news = supercodeNews(answerOf(handled));
  if (news !== null) Log.info(`[${HOOK_NAME}] ${news.message}`, { sessionId, ...news.details });
  else if (toast !== null) Log.warn(`[${HOOK_NAME}] ${toast.title}: ${toast.message}`, { sessionId });
  if (toast !== null) showToast(toast);
  // `not-awaited`: the last prompt was never delivered (its injection failed, or the program ended before it).
  const isDue =
    decision.kind === 'continue' ||
    (decision.kind === 'abstain' && decision.because === 'not-awaited' && loaded?.state.phase === 'ready');
  if (isDue) delivery.schedule(sessionId);
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
  // The file may have changed hands while we asked: then there is nothing of the owner's left to end.
  if (file.end(owner) === 'ended')
    Log.info(`[${HOOK_NAME}] Cleared orphaned state`, { orphanedSessionId: owner, currentSessionId: sessionId });
}
