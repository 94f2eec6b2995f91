import type { Display, Progress, Screen } from './display.ts';

const OUTPUT_CHARS_MAX = 4000;

/**
 * `--json=stream`: one object per line and event; the last line of the command is the loop itself. A reader that falls behind misses some of the
 * agent's output, and nothing else.
 */
export function jsonStream(screen: Pick<Screen, 'write' | 'isBehind'>, nowMs: () => number): Display {
  return {
    show: (progress) => {
      if (progress.kind === 'agent-active' && screen.isBehind?.() === true) return;
      screen.write(`${JSON.stringify({ at: new Date(nowMs()).toISOString(), ...bounded(progress) })}\n`);
    },
    close: () => undefined,
  };
}

function bounded(progress: Progress): Progress {
  if (progress.kind !== 'agent-active' || progress.activity.kind !== 'output') return progress;
  const { activity } = progress;
  return { ...progress, activity: { ...activity, text: activity.text.slice(-OUTPUT_CHARS_MAX) } };
}
