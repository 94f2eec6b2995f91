import type { SessionRef } from '../../core/loop.ts';
import { isFault } from '../../core/fault.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import type { SetupWorld } from '../setup-world.ts';
import { readClaudeSettings } from './claude-code.ts';
import { recordsFor } from './examine-host.ts';
import { hasPlugin } from './plugin.ts';

/**
 * Will a stop of this session come to us at all? Asked before a user waits for something that never happens; what stands in the way of
 * the answer is told by the doctor.
 */
export function hasHooks({ host }: SessionRef, project: string, world: SetupWorld): boolean {
  const id = HOST_IDS.find((each) => each === host);
  if (id === undefined) return true;
  try {
    if (recordsFor(id, project, world).length > 0 || hasPlugin(id, project, world)) return true;
    // Put there by hand.
    return (
      id === 'claude-code' &&
      readClaudeSettings(project, world).some(({ fields }) =>
        JSON.stringify(fields['hooks'] ?? '').includes('tireless'),
      )
    );
  } catch (error) {
    if (isFault(error)) return true;
    throw error;
  }
}
