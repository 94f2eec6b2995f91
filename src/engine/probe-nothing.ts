import type { Effects, ProbeAnswer, ProbeRequest } from './ports.ts';

/** For compositions without checks. Whatever is not looked at is unknown, which never completes a loop. */
export const probeNothing: Effects['probe'] = (batch) => batch.requests.map(unseen);

function unseen(request: ProbeRequest): ProbeAnswer {
  switch (request.kind) {
    case 'check':
      return {
        kind: 'check',
        result: { name: request.check.name, result: 'unknown', durationMs: 0, tail: '', unknown: 'not-run' },
      };
    case 'workspace':
      return { kind: 'workspace', fingerprint: null };
    case 'protected':
      return { kind: 'protected', facts: { hash: '', changed: ['(not looked at)'] } };
    case 'criteria':
      return { kind: 'criteria', met: [] };
    case 'holder':
      return { kind: 'holder', alive: true, seen: null };
    case 'room-copy':
    case 'room-baseline':
      return { kind: 'room-baseline', baseline: { kind: 'none', why: 'not-supported', detail: '' } };
    case 'room':
      return { kind: 'room', facts: { kind: 'lost', why: 'not-supported', detail: '' } };
    case 'work':
      return { kind: 'work', hash: null };
  }
}
