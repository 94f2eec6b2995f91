/**
 * `node hook.cjs HOST HOME [words…]`: what the guard of a host's stop hook starts when a loop is armed. CommonJS, because Node starts that
 * fastest. Half of the time that is ours would go into compiling: so the compiled code is kept beside it, as Node 22 can do by itself. It
 * stands in the folder of the program, because who can write there can change the program anyway; where that is read-only, nothing is kept.
 */
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { keepCode } from '../system/kept-code.ts';
import type { run } from './hook-main.ts';

// oxlint-disable-next-line no-underscore-dangle -- Its name in every module of this kind.
declare const __dirname: string;
declare const require: (file: string) => unknown;

type Wrapper = (exports: { run?: typeof run }, require: (file: string) => unknown) => void;

const file = `${__dirname}/hook-main.cjs`;
const source = readFileSync(file, 'latin1');
// Its first line is a comment with the hash of the rest: V8 itself compares only lengths.
const kept = `${__dirname}/.hook-${source.slice(2, 18)}-${process.version}-${process.arch}.code`;
const code = readKept();
const script = new Script(source, {
  filename: file,
  ...(code === undefined ? {} : { cachedData: code }),
});
const exported: { run?: typeof run } = {};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The bundler makes a function of that file.
(script.runInThisContext() as Wrapper)(exported, require);
const isDone = exported.run?.(process.argv.slice(2), () => import('./hook-more.ts'));
// Now it holds just what a stop needs. The reply is out; the host waits a few milliseconds more, once.
if (isDone === true && (code === undefined || script.cachedDataRejected === true))
  keepCode(kept, script.createCachedData());

function readKept(): Buffer | undefined {
  try {
    return readFileSync(kept);
  } catch {
    return undefined; // Whatever it is: it runs without, too.
  }
}
