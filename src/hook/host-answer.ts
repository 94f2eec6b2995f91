import type { SessionAnswer } from '../engine/session-event.ts';
import type { HostAnswer } from '../hosts/host.ts';
import { noticeOf } from './notices.ts';

/** A pause between iterations is spent in the hook, within the time every host gives it. */
export const DELAY_MS_MAX = 30_000;

/** An answer before it has the name of its event. */
export type Said = HostAnswer extends infer Answer ? (Answer extends HostAnswer ? Omit<Answer, 'name'> : never) : never;

export const SILENT: Said = { kind: 'silent', notice: null };

export function named(said: Said, name: string): HostAnswer {
  return { ...said, name };
}

export function saidOf(answer: SessionAnswer): Said {
  const notice = noticeFor(answer);
  switch (answer.kind) {
    case 'silent':
      return { kind: 'silent', notice };
    case 'go-on':
      return { kind: 'go-on', prompt: answer.prompt, ...(answer.fresh ? { fresh: true } : {}), notice };
    case 'context':
      return { kind: 'context', text: answer.text, notice };
    case 'refuse':
      return { kind: 'refuse', reason: answer.reason, notice };
  }
}

/** Asked first: sentences are loaded only where there is something to say. */
function noticeFor({ decision, loaded }: SessionAnswer): string | null {
  if (decision === undefined) return null;
  const isHeldUp = decision.kind === 'abstain' && decision.because === 'background-work';
  const isOver = decision.kind === 'complete' || decision.kind === 'halt' || decision.kind === 'pause';
  if (!isHeldUp && !isOver) return null;
  return noticeOf({ decision, loop: loaded?.state.loop ?? null });
}
