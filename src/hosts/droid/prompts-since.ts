import { isStopPrompt } from '../../core/prompt.ts';
import type { RawLine } from '../../engine/ports.ts';

const MESSAGE = /"timestamp":"([^"]+)","message":\{"role":"(\w+)","content":\[(?:\{"type":"text","text":"([^"]*))?/u;

/** The transcript is written immediately: how many messages did the agent get that the log does not show yet? */
export function countPromptsSince(lines: Iterable<RawLine>, since: string): number {
  let spoken = 0;
  for (const line of lines) {
    const [, time = '', speaker, text] = MESSAGE.exec(line) ?? [];
    if (speaker === undefined) continue;
    if (time <= since) break;
    // Text added by hooks and tools does not match, or is visible to only one side.
    if (speaker === 'user' && text !== undefined && !isStopPrompt(text) && !line.includes('"visibility":"'))
      spoken += 1;
  }
  return spoken;
}
