import type { ClockReading } from '../core/evidence.ts';
import type { Loop } from '../core/journal.ts';
import { foldEntry, JOURNAL_VERSION } from '../core/journal.ts';
import { promptOf } from '../core/prompt.ts';
import type { StartRequest } from './ports.ts';

/** The loop that a start would create, and its first prompt, as far as they are known before the checks have run. Nothing is kept. */
export function previewStart(
  request: StartRequest,
  clock: ClockReading,
): { readonly loop: Loop; readonly prompt: string } {
  const loop = foldEntry(null, {
    v: JOURNAL_VERSION,
    revision: 1,
    prev: null,
    at: new Date(clock.wallMs).toISOString(),
    event: { kind: 'loop-started', ...request },
    evidence: { clock },
    decision: { kind: 'record' },
  });
  return { loop, prompt: promptOf(loop.spec, loop.state) };
}
