import { existsSync } from 'node:fs';
import type { HotAnswer } from '../hook/answer-fast.ts';
import { hotAnswer } from '../hook/answer-fast.ts';
import { assert } from '../core/fault.ts';
import { probeNow } from '../evidence/quick-probe.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { openLineStore } from '../stores/line-store.ts';
import { loopOfSession } from '../stores/sessions.ts';
import { systemClock } from '../system/clock.ts';
import { readInput, writeOutput } from '../system/standard-streams.ts';
import type { goOn, tidyUp } from './hook-more.ts';
import { HOST_ENVIRONMENT } from './host-environment.ts';

/** What no host sends. */
const PAYLOAD_BYTES_MAX = 32 * 1024 * 1024;

/** `true` = all is done. `false` = it goes on when `more` is loaded. */
export function run([id = '', home = '', ...words]: readonly string[], more: () => Promise<More>): boolean {
  const payload = readInput(PAYLOAD_BYTES_MAX);
  const answer = words.length > 0 ? ({ kind: 'elsewhere' } as const) : answerNow(id, home, payload);
  if (answer.kind === 'reply') {
    const { stdout, stderr, exitCode } = answer.reply;
    if (stdout !== '') writeOutput(1, stdout);
    if (stderr !== '') writeOutput(2, stderr);
    process.exitCode = exitCode;
    const { ended } = answer;
    // After the reply, and only where hooks may be in the settings for this loop alone.
    if (ended === undefined || !existsSync(`${home}/installed`)) return true;
    void more().then((loaded) => loaded.tidyUp(ended, home));
    return false;
  }
  more()
    .then((loaded) => loaded.goOn({ id, home, words, payload, answer }))
    // The agent may stop, whatever it is: never exit code 2, which would keep it going.
    .catch((error: unknown) => writeOutput(2, `tireless: ${String(error)}\n`));
  return false;
}

type More = { readonly goOn: typeof goOn; readonly tidyUp: typeof tidyUp };

function answerNow(id: string, home: string, payload: string): HotAnswer {
  try {
    const host = Object.values(HOSTS).find((one) => one.id === id);
    assert(host !== undefined, 'a host that this version answers');
    const { load, commit } = openLineStore({ home, quick: true });
    const { read: readClock } = systemClock();
    return hotAnswer(JSON.parse(payload), {
      host,
      environment: { variables: process.env, ...HOST_ENVIRONMENT },
      effects: { load, commit, readClock, loopOfSession: (session) => loopOfSession(home, session), probe: probeNow },
    });
  } catch {
    // A payload, a host or a home that is none: there are words for that elsewhere, and nothing was changed here.
    return { kind: 'elsewhere' };
  }
}
