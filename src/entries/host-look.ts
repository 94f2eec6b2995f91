import { transcriptBytes } from '../evidence/transcript-bytes.ts';
import { lastMessageIn } from '../evidence/transcript-tail.ts';
import { messageWaits } from '../evidence/waiting-message.ts';
import type { HostEnvironment } from '../hosts/host.ts';
import { sha256 } from '../system/ids.ts';
import { beganMs } from '../system/process-began.ts';

/** What the decoders of hosts may ask the world, but for the variables of the process. */
export const HOST_LOOK: Omit<HostEnvironment, 'variables'> = {
  hashText: sha256,
  beganMs,
  bytesOf: transcriptBytes,
  lastMessageIn,
  messageWaits,
};
