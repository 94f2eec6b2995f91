import type { Event } from '../../core/event.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { answerOf, handleDialectEvent } from '../../engine/dialect-loop.ts';
import { handleEvent } from '../../engine/handle-event.ts';
import type { TurnReport } from '../../engine/ports.ts';
import type { AwaitedLoop, AwaitedState, WatchPorts } from '../../engine/watch-answer.ts';
import { watchAnswer } from '../../engine/watch-answer.ts';
import type { EmbeddedEngineOptions } from '../embedded-engine.ts';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import { answersFor, isAnswered, isRefusal, noteRefusals } from './approvals.ts';
import { moveToHistory } from './history.ts';
import type { FileLoop, VaultSession } from './vault-session.ts';
import { openVaultSession, placeOf, readFileLoop } from './vault-session.ts';
import type { WatchedLoop } from './watched-loop.ts';
import { watchProbe } from './watch-probe.ts';

/** Waits for the answer in the approval folders of a vault, then brings the agent back. Throws a Fault if loops cannot be read there. */
export async function watchVault(
  watched: WatchedLoop,
  ports: WatchPorts,
  options: EmbeddedEngineOptions = {},
): Promise<void> {
  const engine = openEmbeddedEngine({ ...options, probe: watchProbe(options.probe) });
  try {
    const vaultSession = openVaultSession(engine, watched.vault, watched.session);
    await watchAnswer(awaitedIn({ vaultSession, watched }), watched.watchMs, ports);
  } finally {
    engine.close();
  }
}

type Watch = { readonly vaultSession: VaultSession; readonly watched: WatchedLoop };

function awaitedIn(watch: Watch): AwaitedLoop {
  const { vaultSession, watched } = watch;
  const { engine, dialect, session } = vaultSession;
  return {
    session,
    look: () => look(watch),
    post: (event) => post(watch, event),
    note: (event) => engine.run(handleEvent(watched.loop, event)).decision.kind === 'record',
    entries: () => engine.store.entries(watched.loop),
    textFor: (handled) => dialect.wordsFor(answerOf(handled)).text,
  };
}

function look(watch: Watch): AwaitedState {
  const { vaultSession, watched } = watch;
  // Otherwise an open handle would still show a journal that was removed.
  vaultSession.engine.close();
  const fileLoop = readFileLoop(vaultSession, placeOf(vaultSession, watched.file));
  return {
    loaded: fileLoop.loaded,
    isOver: fileLoop.statusInFile === 'ended',
    takeAnswer: () => takeAnswer(watch, fileLoop),
  };
}

function takeAnswer(watch: Watch, fileLoop: FileLoop): DialectHandled | 'waits' | 'refused' {
  const { vaultSession, watched } = watch;
  noteRefusals(vaultSession, fileLoop, (event, report) =>
    vaultSession.engine.run(handleEvent(watched.loop, event, report)),
  );
  const answers = answersFor(vaultSession, fileLoop);
  // The agent reads a refusal at its next stop: nothing was approved, so no agent is started.
  const noReply = isRefusal(vaultSession, fileLoop, answers);
  const handled = answers
    .map(({ event, report }) => post(watch, event, { ...report, ...(noReply ? { noReply } : {}) }))
    .at(-1);
  if (handled === undefined || !isAnswered(handled)) return 'waits';
  return noReply ? 'refused' : handled;
}

function post({ vaultSession, watched }: Watch, event: Event, report: TurnReport = {}): DialectHandled {
  const place = placeOf(vaultSession, watched.file);
  const { engine, vault } = vaultSession;
  // Nobody sees what this process does.
  const handled = engine.run(handleDialectEvent(place, event, { ...report, unseen: true }, watched.extras));
  if (['cancel', 'complete', 'halt'].includes(handled.decision.kind)) moveToHistory(engine, vault, place.live);
  return handled;
}
