import { Fault } from '../core/fault.ts';

/** A payload carries the agent's last message, and no host sends more than this. */
export const PAYLOAD_BYTES_MAX: number = 32 * 1024 * 1024;

/** The host's stdin, as JSON; `too-long`: more than the maximum. The host's decoder checks its shape. */
export function parsePayload(bytes: Uint8Array | 'terminal' | 'too-long'): unknown {
  if (bytes === 'terminal') throw invalid('nothing was piped in');
  if (bytes === 'too-long') throw invalid(`it has more than ${PAYLOAD_BYTES_MAX} bytes`);
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') throw invalid('it is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid('it is not JSON', error);
  }
}

function invalid(why: string, cause?: unknown): Fault {
  return new Fault(
    'PAYLOAD_INVALID',
    `Cannot read what the host sent to the hook: ${why}. A hook gets one JSON object on stdin; check how it is set up in the settings of the host.`,
    { cause },
  );
}
