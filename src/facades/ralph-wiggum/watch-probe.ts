import type { Effects } from '../../engine/ports.ts';
import { probeNothing } from '../../engine/probe-nothing.ts';
import { lookAtFiles, lookResult } from '../../evidence/file-probes.ts';

/** Runs the document's own check here, and all others with `others`; absent = not at all, and what is not looked at never passes. */
export function watchProbe(others: Effects['probe'] = probeNothing): Effects['probe'] {
  return (batch) =>
    batch.requests.flatMap((request) => {
      if (request.kind === 'check' && request.check.probe.kind === 'file-moved') {
        const look = lookAtFiles(batch.cwd, request.check, request.check.probe);
        return [{ kind: 'check', result: lookResult(request.check.name, 0, look) }];
      }
      return others({ ...batch, requests: [request] });
    });
}
