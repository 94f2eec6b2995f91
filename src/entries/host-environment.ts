import { existsSync } from 'node:fs';
import { transcriptBytes } from '../evidence/transcript-bytes.ts';
import { transcriptReader } from '../evidence/transcript-tail.ts';
import type { HostEnvironment } from '../hosts/host.ts';
import { quickSum } from '../stores/quick-sum.ts';
import { beganMs } from '../system/process-began.ts';

/** Everything the decoders of hosts may read from outside, apart from the variables of the process. */
export const HOST_ENVIRONMENT: Omit<HostEnvironment, 'variables'> = {
  hashText: (text) => quickSum(Buffer.from(text)),
  nowMs: Date.now,
  beganMs,
  bytesOf: transcriptBytes,
  exists: existsSync,
  transcripts: transcriptReader,
};
