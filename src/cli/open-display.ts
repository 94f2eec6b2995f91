import { Fault } from '../core/fault.ts';
import type { State } from '../core/loop.ts';
import { agentWords } from '../terminal/agent-words.ts';
import type { Display, Progress } from '../terminal/display.ts';
import { jsonStream } from '../terminal/json-stream.ts';
import { liveDisplay } from '../terminal/live-display.ts';
import type { Line } from '../terminal/narrate.ts';
import { outcomeTone } from '../terminal/narrate.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { screenRows } from '../terminal/screen-rows.ts';
import { painter, wantsColours } from '../terminal/style.ts';
import { verboseLines } from '../terminal/verbose-lines.ts';
import { printable } from '../views/printable.ts';
import type { Io, Output } from './io.ts';
import { say } from './io.ts';

export type JsonMode = 'no' | 'end' | 'stream';

/** The output for people: with `--json`, stdout is for the script alone. */
export function humanOutput(io: Io, json: JsonMode): Output {
  return json === 'no' ? io.stdout : io.stderr;
}

/** How much of a loop people see: `quiet` = its outcome, `verbose` = also the agent's activity. */
export type Detail = 'quiet' | 'usual' | 'verbose';

export function detailOf({ quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }): Detail {
  if (quiet && verbose)
    throw new Fault('USAGE', 'Cannot use both --quiet and --verbose: they contradict each other. Give one.');
  return quiet ? 'quiet' : verbose ? 'verbose' : 'usual';
}

export function openDisplay(io: Io, json: JsonMode, detail: Detail = 'usual'): Display {
  if (json === 'stream') return jsonStream(io.stdout, Date.now);
  if (detail === 'quiet') return { show: () => undefined, close: () => undefined };
  const screen = humanOutput(io, json);
  const columns = screen.isTTY ? screen.columns() : Infinity;
  if (detail === 'verbose') return verboseLines(screen, Date.now, columns);
  return isLive(io, screen) ? openLive(io, screen) : plainLines(screen, { columns });
}

/** A story told as a whole: it includes the agent's messages even if lines cannot be redrawn, and no line is broken inside a word. */
export function openStory(
  io: Io,
  json: JsonMode,
  story: { readonly narrate: Narrator; readonly quotes: boolean },
): Display {
  if (json === 'stream') return jsonStream(io.stdout, Date.now);
  const screen = humanOutput(io, json);
  if (isLive(io, screen)) return openLive(io, screen, story);
  const words = story.quotes ? agentWords() : () => [];
  return plainLines(screen, {
    narrate: (progress) => [...words(progress), ...story.narrate(progress)],
    columns: STORY_COLUMNS,
  });
}

type Narrator = (progress: Progress) => readonly Line[];

const STORY_COLUMNS = 80;

function isLive(io: Io, screen: Output): boolean {
  return screen.isTTY && io.env['TERM'] !== 'dumb';
}

function openLive(
  io: Io,
  screen: Output,
  story: { readonly narrate?: Narrator; readonly quotes?: boolean } = {},
): Display {
  return liveDisplay({
    ...story,
    screen,
    paint: painter(wantsColours(io.env)),
    nowMs: Date.now,
    repeat,
    onExit,
  });
}

/** How the loop ended, in colour where a person watches. */
export function sayOutcome(io: Io, json: JsonMode, { outcome }: Pick<State, 'outcome'>, text: string): void {
  const screen = humanOutput(io, json);
  const paint = painter(isLive(io, screen) && wantsColours(io.env));
  const rows = screenRows(printable(text), screen.isTTY ? screen.columns() : Infinity);
  screen.write(rows.map((row) => `${paint(outcomeTone(outcome), row)}\n`).join(''));
}

/** The text around a story, which is wrapped between words in a log too. */
export function sayStory(output: Output, ...lines: readonly string[]): void {
  const columns = output.isTTY ? output.columns() : STORY_COLUMNS;
  say(output, ...lines.flatMap((line) => screenRows(line, columns)));
}

function repeat(ms: number, act: () => void): { stop(): void } {
  const timer = setInterval(act, ms);
  // A timer for redrawing must not keep the program alive.
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function onExit(act: () => void): { stop(): void } {
  process.once('exit', act);
  return { stop: () => process.off('exit', act) };
}
