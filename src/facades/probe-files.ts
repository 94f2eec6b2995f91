import type { Effects } from '../engine/ports.ts';
import { probeNothing } from '../engine/probe-nothing.ts';
import { lookAtWork } from '../evidence/look-at-work.ts';

/** For programs that run no checks: a loop that is judged by its progress still has to see changed files. */
export const probeFiles: Effects['probe'] = (batch) =>
  batch.requests.flatMap((request) => lookAtWork(batch, request) ?? probeNothing({ ...batch, requests: [request] }));
