import type { Display } from '../terminal/display.ts';
import { jsonStream } from '../terminal/json-stream.ts';
import { liveDisplay } from '../terminal/live-display.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { painter, wantsColours } from '../terminal/style.ts';
import type { Io, Output } from './io.ts';

export type JsonMode = 'no' | 'end' | 'stream';

/** Where people read: with `--json` stdout is for the script alone. */
export function humanOutput(io: Io, json: JsonMode): Output {
  return json === 'no' ? io.stdout : io.stderr;
}

export function openDisplay(io: Io, json: JsonMode): Display {
  if (json === 'stream') return jsonStream(io.stdout, Date.now);
  const screen = humanOutput(io, json);
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
