import type { LoopId } from '../core/loop.ts';
import type { Control } from '../engine/ports.ts';
import { runSteps } from '../evidence/command-steps.ts';
import { wallsFor } from '../evidence/sandbox-walls.ts';
import type { Cell } from '../system/contain.ts';
import { roomWorldIn } from './room-world.ts';

/** The cell of a loop's agent for its next turn. The walls are determined for each turn, because files may appear or disappear. */
export function agentCell(control: Pick<Control, 'get'>, loop: LoopId, home: string): () => Promise<Cell | undefined> {
  return async () => {
    const loaded = await control.get(loop);
    if (loaded === undefined || loaded.spec.containment === 'none') return undefined;
    const { spec, state } = loaded;
    if (spec.containment !== 'sandbox') return {};
    const baselineDir = roomWorldIn(home).baselineOf(loop);
    const walls = await runSteps(wallsFor({ loop, cwd: state.cwd, spec, baseline: state.room, baselineDir, home }));
    return { walls };
  };
}
