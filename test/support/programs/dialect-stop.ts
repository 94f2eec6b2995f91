/**
 * One stop of a session in whose project a dialect's file stands, dying of SIGKILL at the nth passing of one crash point.
 * Arguments: home, project, dialect, which stop (from 1), crash point (or `none`), which passing (from 1).
 * `ack DECISION` when the stop was answered.
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../../src/dialects/dialect.ts';
import { CONTINUATION_LOOP_FILE, stravinsky } from '../../../src/dialects/stravinsky.ts';
import { supercode, SUPERCODE_FILE } from '../../../src/dialects/supercode.ts';
import { handleDialectEvent } from '../../../src/engine/dialect-loop.ts';
import { runSync } from '../../../src/engine/pipeline.ts';
import type { Effects } from '../../../src/engine/ports.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { fileEffects } from '../../../src/system/file-effects.ts';
import { sha256 } from '../../../src/system/ids.ts';

const DIALECTS: Readonly<Record<string, { readonly dialect: Dialect; readonly file: string }>> = {
  stravinsky: { dialect: stravinsky, file: CONTINUATION_LOOP_FILE },
  supercode: { dialect: supercode, file: SUPERCODE_FILE },
};
const [home = '', project = '', name = '', stop = '', point = '', passing = ''] = process.argv.slice(2);
const of = DIALECTS[name];
if (of === undefined) throw new Error(`there is no dialect ${name}`);
const { dialect, file } = of;

let passed = 0;
const store = openFileStore({
  home,
  crashPoint: (here) => {
    if (here === point) passed += 1;
    if (here === point && passed === Number(passing)) process.kill(process.pid, 'SIGKILL');
  },
});
const clock = systemClock();
const effects: Effects = {
  ...store,
  ...fileEffects(clock),
  readClock: clock.read,
  // These documents know no checks; what nobody looked at is unknown.
  probe: (batch) => batch.requests.map(() => ({ kind: 'workspace', fingerprint: null })),
};
const message = `not yet (${stop})`;
const mark = { messageHash: sha256(message), transcriptBytes: Number(stop) };
const { decision } = runSync(
  handleDialectEvent(
    {
      live: { dialect, path: path.join(project, file) },
      cwd: project,
      file,
      session: { host: 'claude-code', id: 'ses_5f2c81' },
    },
    { kind: 'turn-ended', iteration: null, worker: null, mark },
    { message },
  ),
  effects,
);
writeSync(1, `ack ${decision.kind}\n`);
