import { messageQueued } from '../evidence/droid-queue.ts';
import { transcriptBytes } from '../evidence/transcript-bytes.ts';
import { isAnswered, lastMessageIn } from '../evidence/transcript-tail.ts';
import { turnSigns } from '../evidence/turn-signs.ts';
import type { HostEnvironment } from '../hosts/host.ts';
import { quickSum } from '../stores/quick-sum.ts';
import { beganMs } from '../system/process-began.ts';

/** What the decoders of hosts may ask the world, but for the variables of the process. */
export const HOST_ENVIRONMENT: Omit<HostEnvironment, 'variables'> = {
  hashText: (text) => quickSum(Buffer.from(text)),
  beganMs,
  bytesOf: transcriptBytes,
  lastMessageIn,
  isAnswered,
  turnSigns,
  messageQueued,
};
