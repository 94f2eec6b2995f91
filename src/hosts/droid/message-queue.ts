import type { RawLine, TranscriptReader } from '../../engine/ports.ts';
import { countPromptsSince } from './prompts-since.ts';

/** Matches a transcript below Droid's folder: `sessions/<project>/<session>.jsonl`. */
const TRANSCRIPT_PATH = /(?:[\\/]+[^\\/]+){3}$/u;
const LOG = '/logs/droid-log-single.log';
/** Droid's screen writes half a megabyte in twenty seconds, all of it at once. */
const LOG_BYTES_MAX = 2 * 1024 * 1024;

const QUEUED = ' INFO: [JsonRpc] User message queued | ';
const TAKEN = ' INFO: [JsonRpc] Processing user message | ';
const STOPPED = ' INFO: [JsonRpc] Handling interrupt_session | ';
const SHOWN = ' INFO: [JsonRpcAdapter] Emitting CREATE_MESSAGE notification | ';
const SIGNS = [QUEUED, TAKEN, STOPPED, SHOWN];
/** A sign follows the time at the start of a line. */
const SIGN_BYTES_MAX = 128;

/**
 * Has the user typed something that Droid keeps in its queue? No payload and no file of the session shows it; its log does, up to two
 * seconds late. `false` if there is no log, or it has another format.
 */
export function hasQueuedMessage(transcript: string, session: string, { readBackwards }: TranscriptReader): boolean {
  const log = transcript.replace(TRANSCRIPT_PATH, '') + LOG;
  const lines = readBackwards(log, (all) => [...signLines(all, session)]) ?? [];
  let waiting: string[] = [];
  // When Droid is idle, it takes a message before it reports that it queued it.
  let isTaken = false;
  for (const line of lines.toReversed()) {
    const request = /"requestId":"([^"]+)"/u.exec(line)?.[1] ?? '';
    if (line.includes(QUEUED) && !isTaken) waiting.push(request);
    if (line.includes(QUEUED) || line.includes(STOPPED)) isTaken = false;
    // Messages that the user stopped are put back into their input.
    if (line.includes(STOPPED)) waiting = [];
    if (line.includes(SHOWN)) waiting = waiting.filter((each) => each !== request);
    if (line.includes(TAKEN)) isTaken = waiting.shift() === undefined;
  }
  if (waiting.length === 0) return false;
  const [, since = ''] = /^\[([^\]]+)\]/u.exec(lines[0] ?? '') ?? [];
  return waiting.length > (readBackwards(transcript, (all) => countPromptsSince(all, since)) ?? 0);
}

function* signLines(lines: Iterable<RawLine>, session: string): Generator<RawLine> {
  let left = LOG_BYTES_MAX;
  for (const line of lines) {
    left -= line.length;
    if (left < 0) return;
    const isSign = SIGNS.some((sign) => line.slice(0, SIGN_BYTES_MAX).includes(sign));
    if (isSign && line.includes(`"sessionId":"${session}"`)) yield line;
  }
}
