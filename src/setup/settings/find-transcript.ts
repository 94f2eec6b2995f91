import type { SessionRef } from '../../core/loop.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import { ignoringErrno } from '../../system/errno.ts';
import { findBelow } from '../../system/folder.ts';
import type { SetupWorld } from '../setup-world.ts';
import { userHome } from './installation.ts';

/**
 * What was said in a session, where its host keeps it; `undefined` = it is not found. For a start that was typed in a terminal, or by the
 * agent in its own: all that is known there is the id.
 */
export function findTranscript({ host, id }: SessionRef, world: Pick<SetupWorld, 'env'>): string | undefined {
  const setup = Object.values(HOSTS).find((each) => each.id === host)?.install;
  const home = ignoringErrno(() => userHome(world));
  // An id is text from outside: what is no plain name leads nowhere.
  if (setup?.transcript === undefined || home === undefined || !/^[\w-]+$/u.test(id)) return undefined;
  const { folder, below } = setup.transcript({ home, variables: world.env }, id);
  return findBelow(folder, below);
}
