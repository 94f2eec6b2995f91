import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../system/errno.ts';
import { currentPlatform } from '../system/paths.ts';

/** The current size of a transcript; `null` = there is none. */
export function transcriptBytes(transcript: string): number | null {
  return withTranscript(transcript, (descriptor) => fstatSync(descriptor).size);
}

/** `null` = there is none, or the system does not let us read it. */
export function withTranscript<T>(transcript: string, read: (descriptor: number) => T): T | null {
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    const descriptor = openSync(expandHome(transcript), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return read(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** Documents write `~/.claude/…` where hosts send a full path. */
export function expandHome(transcript: string): string {
  if (!transcript.startsWith('~/') && !transcript.startsWith('~\\')) return transcript;
  const { home } = currentPlatform();
  return home === '' ? transcript : path.join(home, transcript.slice(2));
}
