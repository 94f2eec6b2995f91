import type { HostEnvironment } from '../../src/hosts/host.ts';

/** The world of a decoder: no variables, and a transcript in which the agent said something. */
export const HOST_ENVIRONMENT: HostEnvironment = {
  variables: {},
  hashText: (text) => `hash of ${text}`,
  beganMs: () => 0,
  bytesOf: () => 4096,
  lastMessageIn: () => 'from the transcript',
};
