/**
 * `node hook.cjs HOST HOME [options…]`: started by the guard of a host's stop hook when a loop is armed. It loads the fast hook. CommonJS,
 * because Node starts it fastest. Compiling would take 7 to 13 ms, half of our time, so the compiled code is kept next to the program, as
 * Node 22 can do by itself. Whoever can write to that folder can change the program anyway; in a read-only folder no code is kept.
 */
import { readFileSync, writeSync } from 'node:fs';
import { Script } from 'node:vm';
import { keepCode } from '../system/kept-code.ts';
import { readKept } from '../system/read-kept-code.ts';
import type { run } from './hook-fast.ts';

// oxlint-disable-next-line no-underscore-dangle -- Its name in every module of this kind.
declare const __dirname: string;
declare const require: (file: string) => unknown;

type Wrapper = (exports: { run?: typeof run }, require: (file: string) => unknown) => void;

/** The bundler fills in the hash and the size of hook-fast.cjs. V8 itself compares only the size. */
declare const HOOK_FAST_HASH: string;
declare const HOOK_FAST_BYTES: number;

const file = `${__dirname}/hook-fast.cjs`;
/**
 * V8 compiles a function when it is first called, and kept code contains only compiled functions. The first event may be a tool request,
 * after which every stop would compile its own functions again (3.4 ms), so the first stops add theirs.
 */
const STOPS_ADDED_MAX = 3;

// The source, followed by its compiled code: opening a second file would cost every stop.
const kept = `${__dirname}/.hook-${HOOK_FAST_HASH}-${process.version}-${process.arch}.code`;
let isAnswered = false;
try {
  const found = readKept(kept, HOOK_FAST_BYTES);
  const script = new Script(found?.source ?? readFileSync(file, 'utf8'), { filename: file, cachedData: found?.code });
  const exported: { run?: typeof run } = {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The bundler makes that file a function.
  (script.runInThisContext() as Wrapper)(exported, require);
  const answered = exported.run?.(process.argv.slice(2), () => import('./hook-full.ts'));
  isAnswered = true;
  if (answered === 'stop' || answered === 'other') {
    const added = script.cachedDataRejected === true ? undefined : found?.stops;
    const isAdding = answered === 'stop' && (added ?? 0) < STOPS_ADDED_MAX;
    // The reply is written; the host waits a few milliseconds longer.
    if (added === undefined || isAdding) {
      const stops = Uint8Array.of((added ?? 0) + (isAdding ? 1 : 0));
      keepCode(kept, Buffer.concat([readFileSync(file), script.createCachedData(), stops]));
    }
    // Everything is written, so V8 need not clean up its memory first: this saves nearly a millisecond.
    process.exit();
  }
} catch (error) {
  // The program was only partly updated. The agent may stop: no exit code sends it back.
  const message = `tireless: part of its program is missing or broken, so no loop continues here. Install it again (${String(error)})`;
  writeSync(2, `${message}\n`);
  if (!isAnswered) writeSync(1, `${JSON.stringify({ systemMessage: message })}\n`);
}
