import { containment } from '../../system/contain.ts';
import type { Finding } from './finding.ts';
import { note, ok } from './finding.ts';

/** How far this machine can contain an agent that `tireless run` starts. Nothing here keeps a loop from working. */
export function containmentFindings(): readonly Finding[] {
  const { by, canWall } = containment();
  return [
    by === null
      ? note(null, {
          about: 'processes',
          text: 'neither unshare nor bwrap can make a process namespace; a daemon with an empty environment may outlive a turn',
        })
      : ok(null, { about: 'processes', text: `what an agent starts dies with its turn, in a namespace by ${by}` }),
    canWall
      ? ok(null, { about: 'sandbox', text: 'available by bwrap (tireless run --sandbox)' })
      : note(null, { about: 'sandbox', text: 'not available: bwrap is missing or may not make namespaces here' }),
  ];
}
