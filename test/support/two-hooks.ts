import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_LIMITS } from '../../src/core/loop.ts';
import { put } from './a-project.ts';
import type { ArmedSession } from './an-armed-session.ts';
import { anArmedSession } from './an-armed-session.ts';

/** An agent that repeats itself; its transcript grows only when a test makes it grow. */
export type Repeating = ArmedSession & {
  readonly words: Readonly<Record<string, unknown>>;
  /** The host finally writes something. */
  readonly writeLate: () => void;
};

export function aRepeatingAgent(iterationsMax: number): Repeating {
  const session = anArmedSession({ limits: { ...DEFAULT_LIMITS, iterationsMax, noProgressMax: 'unlimited' } });
  put(session.project, { 'talk.jsonl': '{"type":"user"}\n' });
  const transcript = path.join(session.project, 'talk.jsonl');
  return {
    ...session,
    words: { last_assistant_message: 'not yet', transcript_path: transcript },
    writeLate: () => appendFileSync(transcript, '{"type":"system"}\n'),
  };
}

export const SILENT = { code: 0, stdout: '{}\n', stderr: '' };

/** A child that stopped itself: it has started, but does not work yet. */
export function isHeld(pid: number): boolean {
  const [, state] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
  return state?.startsWith('T') === true;
}
