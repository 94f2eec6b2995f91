import path from 'node:path';
import { proseLines } from '../core/prose-lines.ts';
import { readRegular } from './read-regular.ts';

const TRACKER_BYTES_MAX = 1024 * 1024;
const TICKED = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s+(.*)$/;

/** Which of the texts the agent has ticked off in its notes. None if the notes are missing or unreadable. */
export function tickedCriteria(cwd: string, tracker: string, texts: readonly string[]): readonly string[] {
  const read = readRegular(path.resolve(cwd, tracker), TRACKER_BYTES_MAX);
  return read.kind === 'bytes' ? tickedIn(read.bytes.toString('utf8'), texts) : [];
}

/** List items outside code and quotes; differences in white space do not matter, case does. */
export function tickedIn(notes: string, texts: readonly string[]): readonly string[] {
  const ticked = new Set(
    proseLines(notes)
      .flatMap((line) => TICKED.exec(line ?? '')?.[1] ?? [])
      .map(plain),
  );
  return texts.filter((text) => ticked.has(plain(text)));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().normalize('NFC');
}
