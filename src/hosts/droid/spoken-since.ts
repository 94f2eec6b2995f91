import { isStopPrompt } from '../../core/prompt.ts';
import type { RawLine } from '../../engine/ports.ts';

const MESSAGE = /"timestamp":"([^"]+)","message":\{"role":"(\w+)","content":\[(?:\{"type":"text","text":"([^"]*))?/u;

/** The transcript is written at once: how often was the agent spoken to since the log says nothing? */
export function spokenSince(lines: Iterable<RawLine>, since: string): number {
  let spoken = 0;
  for (const line of lines) {
    const [, time = '', speaker, text] = MESSAGE.exec(line) ?? [];
    if (speaker === undefined) continue;
    if (time <= since) break;
    // What hooks and tools add has no such text in the first place, or only one side sees it.
    if (speaker === 'user' && text !== undefined && !isStopPrompt(text) && !line.includes('"visibility":"'))
      spoken += 1;
  }
  return spoken;
}
