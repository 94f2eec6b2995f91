import type { LoopId, SessionRef } from '../../core/loop.ts';
import type { ApprovalRules, DialectExtras } from '../../engine/dialect-extras.ts';
import type { Effects, Loaded } from '../../engine/ports.ts';
import { withEngine } from '../embedded-engine.ts';
import { answerWords, openRequest } from './approvals.ts';
import { createTurnHook } from './stop-hook.ts';
import { findReview } from './requests.ts';
import { leaveHistory } from './kept-file.ts';
import type { FileLoop, VaultSession } from './vault-session.ts';
import { openVaultSession, placeOf, readFileLoop } from './vault-session.ts';
import { findVault } from './vault.ts';
import type { Watching } from './watched-loop.ts';
import { endWatch } from './watched-loop.ts';

/** What a host's hook adds to the document's own. */
export type HookPorts = {
  readonly probe: Effects['probe'];
  /** How much longer this hook may run. */
  readonly leftMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** `cwd`: where the agent works. `undefined` = nobody waits after the hook. Throws `USAGE`. */
  readonly watchingFor: (host: string, cwd: string, rules: ApprovalRules) => Watching | undefined;
  /** Tells whether the host that started this hook has exited since. */
  readonly hostGoneLookup: (host: string) => () => boolean;
  readonly isOwnAgent: Watching['isOwnAgent'];
  readonly restartWatch: (loop: LoopId) => boolean;
};

/** The approval folders and the history are part of a stop: the same code as for `require('tireless/ralph-wiggum')`. */
export function ralphWiggumExtras(home: string, ports: HookPorts): DialectExtras {
  return {
    stop: async ({ project, session, event, report, extras, approval, delayMaxMs, ...seen }) => {
      const watching = ports.watchingFor(session.host, project, approval);
      const answer = createTurnHook({
        home,
        cwd: project,
        probe: ports.probe,
        delayMaxMs,
        isHostGone: ports.hostGoneLookup(session.host),
        approvalWaitMs: Math.min(approval.waitMs ?? Infinity, ports.leftMs()),
        wait: (ms) => ports.sleep(Math.max(0, Math.min(ms, ports.leftMs()))),
        ...(watching === undefined ? {} : { watching }),
        ...(seen.lastSeenMs === undefined ? {} : { lastSeenMs: seen.lastSeenMs }),
        ...(seen.restsSinceMs === undefined ? {} : { restsSinceMs: seen.restsSinceMs }),
        ...extras,
      });
      const { allowExit, reason = '', injectPrompt = '', message = '' } = await answer({ session, event, report });
      const shown = allowExit ? reason : message;
      return { sendsBack: !allowExit, text: injectPrompt, reason: shown, ...(shown === '' ? {} : { notice: shown }) };
    },
    settle: (_, event, handled) => {
      leaveHistory(event, handled);
      return null;
    },
    openRequest: (loaded) => inVaultOf(home, loaded, openRequest),
    outcomeNotice,
    answerNotice: (loaded) => inVaultOf(home, loaded, (session, fileLoop) => answerWords(session, fileLoop)),
    returned: (session) => endWatchOf(home, session, ports.isOwnAgent),
    restartWatch: ports.restartWatch,
  };
}

/** A fatal error has a review request, which explains how to run the loop again. */
function outcomeNotice({ state }: Loaded): string | null {
  const { outcome, cwd } = state;
  if (outcome?.kind !== 'halted' || outcome.guard !== 'agent-failed') return null;
  const vault = findVault(cwd, {});
  const review = vault === undefined ? undefined : findReview(vault, state);
  const [first = ''] = (outcome.detail ?? 'no details').split('\n');
  const next = review === undefined ? `why: tireless explain ${state.loop}` : `what to do: ${review}`;
  return `Fatal error: ${first}; the loop was stopped; ${next}`;
}

/** Searches the folders of a loop; `null` = it has none. */
function inVaultOf<T>(
  home: string,
  { spec, state }: Loaded,
  look: (vaultSession: VaultSession, fileLoop: FileLoop) => T | null,
): T | null {
  const vault = findVault(state.cwd, {});
  const { dialect } = spec;
  if (vault === undefined || dialect === undefined || state.session === null) return null;
  const { session } = state;
  return withEngine({ home }, (engine) => {
    const vaultSession = openVaultSession(engine, vault, session);
    return look(vaultSession, readFileLoop(vaultSession, placeOf(vaultSession, dialect.file)));
  });
}

/** The user is back in the session. */
function endWatchOf(home: string, session: SessionRef, isOwnAgent: Watching['isOwnAgent']): void {
  withEngine({ home }, (engine) => {
    const loop = engine.store.loopOfSession(session);
    endWatch(engine, loop === undefined ? undefined : engine.store.load(loop)?.state, isOwnAgent);
  });
}
