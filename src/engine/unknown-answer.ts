import type { CheckResult, ProtectedFacts } from '../core/evidence.ts';
import type { ProbeAnswer, ProbeRequest } from './ports.ts';

/** Why the answer is unknown: for a check, for the protected files, and for a room. */
export type UnknownReasons = {
  readonly check: Required<Pick<CheckResult, 'unknown' | 'tail'>>;
  readonly protectedFiles: ProtectedFacts;
  readonly room: { readonly why: 'not-supported' | 'failed'; readonly detail: string };
};

/** The answer that holds up the loop or changes nothing. A lease is taken over only from a worker that is known to be dead. */
export function unknownAnswer(request: ProbeRequest, { check, protectedFiles, room }: UnknownReasons): ProbeAnswer {
  switch (request.kind) {
    case 'check':
      return { kind: 'check', result: { name: request.check.name, result: 'unknown', durationMs: 0, ...check } };
    case 'workspace':
      return { kind: 'workspace', fingerprint: null };
    case 'protected':
      return { kind: 'protected', facts: protectedFiles };
    case 'criteria':
      return { kind: 'criteria', met: [] };
    case 'holder':
      return { kind: 'holder', alive: true, seen: null };
    case 'room-copy':
    case 'room-baseline':
      return { kind: 'room-baseline', baseline: { kind: 'none', ...room } };
    case 'room':
      return { kind: 'room', facts: { kind: 'lost', ...room } };
    case 'work':
      return { kind: 'work', hash: null };
  }
}
