import { Fault } from '../core/fault.ts';
import type { Display } from '../terminal/display.ts';
import { jsonStream } from '../terminal/json-stream.ts';
import { liveDisplay } from '../terminal/live-display.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { painter, wantsColours } from '../terminal/style.ts';
import { verboseLines } from '../terminal/verbose-lines.ts';
import type { Io, Output } from './io.ts';

export type JsonMode = 'no' | 'end' | 'stream';

/** Where people read: with `--json` stdout is for the script alone. */
export function humanOutput(io: Io, json: JsonMode): Output {
  return json === 'no' ? io.stdout : io.stderr;
}

/** How much of a loop people see: `quiet` = its outcome, `verbose` = also what the agent does. */
export type Detail = 'quiet' | 'usual' | 'verbose';

export function detailOf({ quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }): Detail {
  if (quiet && verbose)
    throw new Fault('USAGE', 'Cannot use both --quiet and --verbose: one leaves out what the other adds. Give one.');
  return quiet ? 'quiet' : verbose ? 'verbose' : 'usual';
}

export function openDisplay(io: Io, json: JsonMode, detail: Detail = 'usual'): Display {
  if (json === 'stream') return jsonStream(io.stdout, Date.now);
  if (detail === 'quiet') return { show: () => undefined, close: () => undefined };
  const screen = humanOutput(io, json);
  if (detail === 'verbose') return verboseLines(screen, Date.now);
  if (!screen.isTTY || io.env['TERM'] === 'dumb') return plainLines(screen);
  return liveDisplay({ screen, paint: painter(wantsColours(io.env)), nowMs: Date.now, repeat, onExit });
}

function repeat(ms: number, act: () => void): { stop(): void } {
  const timer = setInterval(act, ms);
  // A drawing that goes on must not keep the program alive.
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function onExit(act: () => void): { stop(): void } {
  process.once('exit', act);
  return { stop: () => process.off('exit', act) };
}
