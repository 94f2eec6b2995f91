import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { supercodeToast } from '../../dialects/supercode.ts';
import { sha256 } from '../../system/ids.ts';
import type { Delivery } from './delivery.ts';
import { saidSince } from './detector.ts';
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
  /** How many messages a session had when its iteration began: older ones, of an earlier loop, say nothing about this one. */
  readonly begunAt: Map<string, Promise<number | undefined>>;
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
  const said = saidSince(messages, await world.begunAt.get(sessionId));
  const message = said.join('\n\n');
  // The same stop reported twice is known by what was said; a host that shows us nothing cannot be told apart from a silent agent.
  const mark = said.length === 0 ? {} : { mark: { messageHash: sha256(message), transcriptBytes: messages.length } };
  const handled = file.post(sessionId, { kind: 'turn-ended', iteration: null, worker: null, ...mark }, { message });
  answer(world, sessionId, handled);
  if (handled.decision.kind === 'continue') world.begunAt.set(sessionId, Promise.resolve(messages.length));
}

/** Asked for now; answered when the host does. Not knowing is no fault: see `saidSince`. */
export function rememberMessages(world: HookWorld, sessionId: string): void {
  const count = async (): Promise<number | undefined> => {
    try {
      return (await world.getMessages(sessionId)).length;
    } catch (error) {
      Log.warn(`[${HOOK_NAME}] Failed to count messages`, { sessionId, error: String(error) });
      return undefined;
    }
  };
  world.begunAt.set(sessionId, count());
}

function answer({ delivery, showToast }: HookWorld, sessionId: string, handled: DialectHandled): void {
  const { decision, loaded, reading } = handled;
  const toast = supercodeToast({ decision, loop: loaded ?? null, reading });
  if (toast !== null) {
    Log.info(`[${HOOK_NAME}] ${toast.title} ${toast.message}`, { sessionId });
    showToast(toast);
  }
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
  // The file may have changed hands while we asked.
  if (file.read()?.sessionId !== owner) return;
  file.end(owner);
  Log.info(`[${HOOK_NAME}] Cleared orphaned state`, { orphanedSessionId: owner, currentSessionId: sessionId });
}
