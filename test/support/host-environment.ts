import type { TranscriptReader } from '../../src/engine/ports.ts';
import type { HostEnvironment } from '../../src/hosts/host.ts';

const TEXT = 'from the transcript';

/** The agent said something, as each host that keeps a transcript writes it. */
const SAID: readonly object[] = [
  { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: TEXT }] } },
  { type: 'message', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: TEXT }] } },
  { type: 'gemini', id: 'm', content: TEXT },
  { type: 'assistant.message', data: { apiCallId: 'm', content: TEXT } },
];

/** Files that all contain these lines. `onRead` is called for each file that is read. */
export function aTranscript(records: readonly object[], onRead: (file: string) => void = () => {}): TranscriptReader {
  const lines = records.map((record) => JSON.stringify(record)).toReversed();
  return {
    readBackwards: (file, read) => (onRead(file), read(lines)),
    endIncludes: (file, text) => (onRead(file), lines.some((line) => line.includes(text))),
    awaitText: () => {},
    textOf: (line) => line,
  };
}

/** The world of a decoder: no variables, and a transcript in which the agent said something. */
export const HOST_ENVIRONMENT: HostEnvironment = {
  variables: {},
  hashText: (text) => `hash of ${text}`,
  nowMs: () => Date.UTC(2026, 5, 10, 12),
  beganMs: () => 0,
  bytesOf: () => 4096,
  // No other tool keeps a loop in the project.
  exists: () => false,
  transcripts: aTranscript(SAID),
};
