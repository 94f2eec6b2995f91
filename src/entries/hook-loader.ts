/**
 * `node hook.cjs HOST HOME [words…]`: what the guard of a host's stop hook starts when a loop is armed. CommonJS, because Node starts that
 * fastest. Half of the time that is ours would go into compiling: so the compiled code is kept beside it, as Node 22 can do by itself. It
 * stands in the folder of the program, because who can write there can change the program anyway; where that is read-only, nothing is kept.
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

/** The bundler writes these two in, of the file it has just made. V8 itself compares only lengths. */
declare const HOOK_FAST_HASH: string;
declare const HOOK_FAST_BYTES: number;

const file = `${__dirname}/hook-fast.cjs`;
// The source and behind it the code: both in one file, because each file costs a stop its opening.
const kept = `${__dirname}/.hook-${HOOK_FAST_HASH}-${process.version}-${process.arch}.code`;
let isAnswered = false;
try {
  const found = readKept(kept, HOOK_FAST_BYTES);
  const script = new Script(found?.source ?? readFileSync(file, 'utf8'), { filename: file, cachedData: found?.code });
  const exported: { run?: typeof run } = {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The bundler makes a function of that file.
  (script.runInThisContext() as Wrapper)(exported, require);
  const isDone = exported.run?.(process.argv.slice(2), () => import('./hook-full.ts'));
  isAnswered = true;
  if (isDone === true) {
    // Now it holds what a stop needs. The reply is out; the host waits a few milliseconds more, once.
    if (found === undefined || script.cachedDataRejected === true)
      keepCode(kept, Buffer.concat([readFileSync(file), script.createCachedData()]));
    // All is written and nothing is under way: Node need not tidy up a memory that ends with it.
    const ending: NodeJS.Process & { readonly reallyExit?: (code: number) => void } = process;
    ending.reallyExit?.(Number(process.exitCode ?? 0));
  }
} catch (error) {
  // Half of an update. The agent may stop, and is never kept by an exit code.
  const said = `tireless: a part of its program is missing or broken, so no loop goes on here. Install it again (${String(error)})`;
  writeSync(2, `${said}\n`);
  if (!isAnswered) writeSync(1, `${JSON.stringify({ systemMessage: said })}\n`);
}
