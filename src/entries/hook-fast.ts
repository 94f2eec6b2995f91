import { existsSync } from 'node:fs';
import { assert } from '../core/fault.ts';
import { probeNow } from '../evidence/quick-probe.ts';
import type { FastAnswer } from '../hook/answer-fast.ts';
import { answerFast } from '../hook/answer-fast.ts';
import { PAYLOAD_BYTES_MAX } from '../hook/parse-payload.ts';
import { WAKE_WORD } from '../hosts/guard.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { openLineStore } from '../stores/line-store.ts';
import { loopOfSession } from '../stores/session-binding.ts';
import { systemClock } from '../system/clock.ts';
import { outlastSignals } from '../system/outlast-signals.ts';
import { readInput, writeOutput } from '../system/standard-streams.ts';
import type { answerInFull, releaseAfterReply, wakeAfterReply } from './hook-full.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';

type FullHook = {
  readonly answerInFull: typeof answerInFull;
  readonly releaseAfterReply: typeof releaseAfterReply;
  readonly wakeAfterReply: typeof wakeAfterReply;
};

/** `stop` and `other` (event): the reply is written and nothing else is left to do. `handed-over`: the full hook is loaded and continues. */
export type FastRun = 'stop' | 'other' | 'handed-over';

/** `HOST HOME [options…]` */
export function run([host = '', home = '', ...words]: readonly string[], loadFull: () => Promise<FullHook>): FastRun {
  const options = words.filter((word) => word !== WAKE_WORD);
  const waker = words.includes(WAKE_WORD) ? outlastSignals() : undefined;
  const payload = readInput(PAYLOAD_BYTES_MAX);
  const answer = options.length > 0 ? ({ kind: 'needs-full-hook' } as const) : answerHere(host, home, payload);
  if (answer.kind === 'reply') {
    const { stdout, stderr, exitCode } = answer.reply;
    if (stdout !== '') writeOutput(1, stdout);
    if (stderr !== '') writeOutput(2, stderr);
    process.exitCode = exitCode;
    const { ended, failed, event } = answer;
    if (failed !== undefined && waker !== undefined) {
      waker.endAtSignal();
      void loadFull().then((full) => full.wakeAfterReply(failed, { host, home, payload }));
      return 'handed-over';
    }
    // After the reply, and only if the settings may contain hooks for this loop alone.
    if (ended === undefined || !existsSync(`${home}/installed`)) return event === 'turn-ended' ? 'stop' : 'other';
    void loadFull().then((full) => full.releaseAfterReply(ended, home));
    return 'handed-over';
  }
  loadFull()
    .then((full) => full.answerInFull({ host, home, options, payload, answer }))
    // Whatever the error, the agent may stop: never exit code 2, which would send it back.
    .catch((error: unknown) => writeOutput(2, `tireless: ${String(error)}\n`));
  return 'handed-over';
}

function answerHere(id: string, home: string, payload: string): FastAnswer {
  try {
    const host = Object.values(HOSTS).find((one) => one.id === id);
    assert(host !== undefined, 'a host that this version answers');
    const { load, commit } = openLineStore({ home, quick: true });
    const { read: readClock } = systemClock();
    return answerFast(JSON.parse(payload), {
      host,
      home,
      program: `${(process.argv[1] ?? '').replace(/[^/\\]*$/u, '')}cli.js`,
      environment: { variables: process.env, ...HOST_ENVIRONMENT },
      effects: { load, commit, readClock, loopOfSession: (session) => loopOfSession(home, session), probe: probeNow },
    });
  } catch {
    // A payload, a host or a home that cannot be used: the full hook reports it, and nothing was changed here.
    return { kind: 'needs-full-hook' };
  }
}
