import { printable } from '../views/printable.ts';
import type { Display, Progress, Screen } from './display.ts';
import { drawRegion, emptyRegion, regionAfter } from './live-region.ts';
import type { Line } from './narrate.ts';
import { narration } from './narrate.ts';
import type { Paint } from './style.ts';
import { fitWidth } from './fit-width.ts';
import { agentWords } from './agent-words.ts';
import { foldLine } from './fold-line.ts';

export type LiveOptions = {
  readonly screen: Screen;
  readonly paint: Paint;
  readonly nowMs: () => number;
  /** Calls back repeatedly until stopped. */
  readonly repeat: (ms: number, act: () => void) => { stop(): void };
  /** Calls back when the process exits in any way that it can notice. */
  readonly onExit: (act: () => void) => { stop(): void };
  /** The lines that stay on the screen. */
  readonly narrate?: (progress: Progress) => readonly Line[];
  /** `false`: the agent's messages are shown while it works, but not kept. */
  readonly quotes?: boolean;
};

const REDRAW_MS = 120;
/** Below this width, or if the width is unknown, the terminal breaks lines itself. */
const COLUMNS_MIN = 40;
const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';
const ERASE_BELOW = '\u001B[J';

/**
 * A region at the bottom of the terminal that is redrawn in place, and permanent lines that scroll away above it. Redrawn by the clock, not
 * by the agent's output: an agent that prints a gigabyte costs a few draws per second. Only our own escape codes reach the terminal.
 */
export function liveDisplay(options: LiveOptions): Display {
  const { screen, paint, nowMs, narrate = narration() } = options;
  const words = options.quotes === false ? () => [] : agentWords();
  let spokenLines: readonly Line[] = [];
  let spoken = '';
  let region = emptyRegion(nowMs());
  let rows = 0;
  let closed = false;
  const render = ({ tone, text }: Line): string =>
    paint(tone, fitWidth(printable(text).replaceAll(/[\n\t]/g, ' '), Math.max(10, screen.columns() - 1)));
  // Permanent lines are not cut; they break between words.
  const folded = ({ tone, text, hang }: Line): readonly string[] =>
    foldLine(printable(text), Math.max(COLUMNS_MIN, screen.columns()), hang).map((row) => `${paint(tone, row)}\n`);
  const erase = (): string => (rows === 0 ? '' : `\u001B[${rows}A\r${ERASE_BELOW}`);
  const draw = (permanent: readonly Line[]): void => {
    if (closed) return;
    const isSaid = region.activity !== '' && spoken.endsWith(region.activity);
    const drawn = drawRegion(isSaid ? { ...region, activity: '' } : region, nowMs());
    const kept = [...spokenLines, ...permanent].flatMap(folded);
    spokenLines = [];
    const before = erase();
    rows = drawn.length;
    screen.write(`${before}${kept.join('')}${drawn.map((each) => `${render(each)}\n`).join('')}`);
  };
  screen.write(HIDE_CURSOR);
  const timer = options.repeat(REDRAW_MS, () => draw([]));
  const close = (): void => {
    if (closed) return;
    timer.stop();
    exit.stop();
    if (spokenLines.length > 0) draw([]);
    closed = true;
    screen.write(`${erase()}${SHOW_CURSOR}`);
  };
  const exit = options.onExit(close);
  return {
    show: (progress) => {
      region = regionAfter(region, progress, nowMs());
      // Shown with the next draw, so an agent that prints a gigabyte costs no more than a silent one.
      spokenLines = [...spokenLines, ...words(progress)];
      spoken = spokenLines.at(-1)?.text ?? spoken;
      const permanent = narrate(progress);
      if (permanent.length > 0) draw(permanent);
    },
    close,
  };
}
