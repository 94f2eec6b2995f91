import type { RawLine, TranscriptReader } from '../engine/ports.ts';
import type { Fields } from './fields.ts';
import { fieldsOf } from './fields.ts';
import type { Host } from './host.ts';
import { parseRecord } from './transcript.ts';

/**
 * Does the host's own goal (`/goal` of Claude Code, Codex and Qwen Code) drive this session? The last status in the transcript counts: each
 * change of a goal adds a line. `false` if there is no transcript.
 */
export function hasNativeGoal(
  { goalStatus }: Pick<Host, 'goalStatus'>,
  file: string,
  reader: TranscriptReader,
): boolean {
  if (goalStatus === undefined) return false;
  return reader.readBackwards(file, (lines) => lastStatus(lines, goalStatus, reader)) === 'active';
}

function lastStatus(
  lines: Iterable<RawLine>,
  goalStatus: NonNullable<Host['goalStatus']>,
  { textOf }: TranscriptReader,
): string | null {
  for (const line of lines) {
    // Tested before parsing, because most of a transcript is tool results.
    if (!line.includes('goal')) continue;
    const status = goalStatus(parseRecord(textOf(line)) ?? {});
    if (status !== null) return status;
  }
  return null;
}

export function statusOfGoal(fields: Fields): string | null {
  const status = fieldsOf(fields['goal'])?.['status'];
  return typeof status === 'string' ? status : null;
}
