import { containment } from '../../system/contain.ts';
import type { Finding } from './finding.ts';
import { note, ok } from './finding.ts';

/** How far this machine can contain an agent that `tireless run` starts. A loop works without any of this. */
export function containmentFindings(): readonly Finding[] {
  const { by, canWall } = containment();
  return [
    by === null
      ? note(null, {
          about: 'processes',
          text: 'neither unshare nor bwrap can create a process namespace; a daemon with an empty environment may outlive a turn',
        })
      : ok(null, {
          about: 'processes',
          text: `whatever an agent starts ends with its turn, in a namespace made by ${by}`,
        }),
    canWall
      ? ok(null, { about: 'sandbox', text: 'available through bwrap (tireless run --sandbox)' })
      : note(null, { about: 'sandbox', text: 'not available: bwrap is missing or may not create namespaces here' }),
  ];
}
