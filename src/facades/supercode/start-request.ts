import { readSupercodeFields } from '../../dialects/supercode/read.ts';
import type { RalphLoopConfig, RalphLoopState, StartLoopOptions } from './ralph-loop.ts';

/** The state of a new loop, or why there is none. */
export type StartRequest = { readonly state: RalphLoopState } | { readonly why: string };

export const DISABLED = 'The Ralph Loop is disabled: config.enabled is false.';

/** The caller's request. Callers may be untyped: anything the file cannot express is refused before anything is written. */
export function readRequest(
  config: RalphLoopConfig,
  sessionId: string,
  prompt: string,
  asked: StartLoopOptions = {},
): StartRequest {
  if (!config.enabled) return { why: DISABLED };
  if (typeof sessionId !== 'string' || sessionId === '') return { why: 'A loop needs the id of its session.' };
  const maximum: unknown = asked.maxIterations ?? config.defaultMaxIterations;
  const maxIterations = typeof maximum === 'string' && maximum.trim() !== '' ? Number(maximum) : maximum;
  if (typeof maxIterations !== 'number' || !Number.isFinite(maxIterations))
    return { why: `maxIterations takes a number, not ${shown(maximum)}.` };
  const state: RalphLoopState = {
    active: true,
    iteration: 1,
    maxIterations,
    completionPromise: asked.completionPromise ?? config.defaultCompletionPromise,
    startedAt: new Date().toISOString(),
    prompt,
    sessionId,
    description: asked.description ?? undefined,
  };
  const read = readSupercodeFields(JSON.stringify(state));
  return 'why' in read ? { why: `${read.why}.` } : { state };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
