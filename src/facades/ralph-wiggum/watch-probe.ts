import type { Effects } from '../../engine/ports.ts';
import { lookAtFiles, lookResult } from '../../evidence/file-probes.ts';

/** The document's own check is looked at here, all others by `others`: absent = not at all, and what is not looked at never passes. */
export function watchProbe(others: Effects['probe'] | undefined): Effects['probe'] {
  return (batch) =>
    batch.requests.map((request) => {
      if (request.kind === 'check' && request.check.probe.kind === 'file-moved') {
        const look = lookAtFiles(batch.cwd, request.check, request.check.probe);
        return { kind: 'check', result: lookResult(request.check.name, 0, look) };
      }
      const [answer] = others?.({ ...batch, requests: [request] }) ?? [];
      if (answer !== undefined) return answer;
      return request.kind === 'check'
        ? {
            kind: 'check',
            result: { name: request.check.name, result: 'unknown', unknown: 'not-run', durationMs: 0, tail: '' },
          }
        : { kind: 'workspace', fingerprint: null };
    });
}
