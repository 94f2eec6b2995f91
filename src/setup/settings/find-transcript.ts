import type { SessionRef } from '../../core/loop.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { ignoringErrno } from '../../system/errno.ts';
import { findBelow } from '../../system/folder.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userHome } from './installation.ts';

/**
 * Finds the transcript of a session where its host keeps it; `undefined` = not found. For a start in a terminal, or by the agent in its own
 * shell, where only the id is known.
 */
export function findTranscript({ host, id }: SessionRef, world: Pick<SetupWorld, 'env'>): string | undefined {
  const setup = Object.values(HOSTS).find((each) => each.id === host)?.install;
  const home = ignoringErrno(() => userHome(world));
  // An id is text from outside: only a plain name is looked up.
  if (setup?.transcript === undefined || home === undefined || !/^[\w-]+$/u.test(id)) return undefined;
  const { folder, below } = setup.transcript({ home, variables: world.env }, id);
  return findBelow(folder, below);
}
