import type { SessionRef } from '../../core/loop.ts';
import type { ApprovalRules, DialectExtras } from '../../engine/dialect-extras.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { Effects } from '../../engine/ports.ts';
import { withEngine } from '../embedded-engine.ts';
import { createTurnHook } from './stop-hook.ts';
import type { Watching } from './watched-loop.ts';

/** What the hook of a host adds to the document's own. */
export type HookPorts = {
  readonly probe: Effects['probe'];
  /** How long this hook may still run. */
  readonly leftMs: () => number;
  /** `cwd`: where the agent works. `undefined` = nobody waits after the hook. Throws `USAGE`. */
  readonly watchingFor: (host: string, cwd: string, rules: ApprovalRules) => Watching | undefined;
  readonly isOwnAgent: Watching['isOwnAgent'];
};

/** Its approval folders and its history are part of a stop: the same code as for `require('tireless/ralph-wiggum')`. */
export function ralphWiggumExtras(home: string, ports: HookPorts): DialectExtras {
  return {
    stop: async ({ project, session, event, report, extras, approval, delayMaxMs, lastSeenMs }) => {
      const watching = ports.watchingFor(session.host, project, approval);
      const answer = createTurnHook({
        home,
        cwd: project,
        probe: ports.probe,
        delayMaxMs,
        approvalWaitMs: Math.min(approval.waitMs ?? Infinity, ports.leftMs()),
        ...(watching === undefined ? {} : { watching }),
        ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
        ...extras,
      });
      const { allowExit, reason = '', injectPrompt = '', message = '' } = await answer({ session, event, report });
      const shown = allowExit ? reason : message;
      return { goesOn: !allowExit, text: injectPrompt, reason: shown, ...(shown === '' ? {} : { notice: shown }) };
    },
    returned: (session) => endWatchOf(home, session, ports.isOwnAgent),
  };
}

/** The user is back in the session: whoever waited for a person leaves it alone. */
function endWatchOf(home: string, session: SessionRef, isOwnAgent: Watching['isOwnAgent']): void {
  withEngine({ home }, ({ store, run }) => {
    const loop = store.loopOfSession(session);
    const watcher = loop === undefined ? undefined : store.load(loop)?.state.watcher;
    if (loop === undefined || watcher === undefined || isOwnAgent(watcher)) return;
    run(handleEvent(loop, { kind: 'watcher-ended', worker: watcher.id, why: 'session-returned' }));
  });
}
