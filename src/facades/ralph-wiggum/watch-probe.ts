import type { Effects } from '../../engine/ports.ts';
import { lookAtFiles, lookResult } from '../../evidence/file-probes.ts';
import { probeFiles } from '../probe-files.ts';

/** Runs the document's own check itself, and all others with `others`; absent = they are not run, and never pass. */
export function watchProbe(others: Effects['probe'] = probeFiles): Effects['probe'] {
  return (batch) =>
    batch.requests.flatMap((request) => {
      if (request.kind === 'check' && request.check.probe.kind === 'file-moved') {
        const look = lookAtFiles(batch.cwd, request.check, request.check.probe);
        return [{ kind: 'check', result: lookResult(request.check.name, 0, look) }];
      }
      return others({ ...batch, requests: [request] });
    });
}
