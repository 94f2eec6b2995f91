import type { ControllerCallbacks, EngineLoopManager } from '../../src/facades/athena/index.ts';
import { loopCallbacks } from '../../src/facades/athena/index.ts';

type Wiring = (
  manager: EngineLoopManager,
) => Pick<ControllerCallbacks, 'getLoopState' | 'updateLoopState' | 'settleStop'>;

/** The ways in which a manager becomes callbacks. */
export const WIRINGS: Readonly<Record<string, Wiring>> = {
  'as the document wires it': (manager) => ({
    getLoopState: () => manager.getState(),
    updateLoopState: (update) => (update.active === false ? manager.deactivate() : manager.incrementIteration()),
  }),
  'by loopCallbacks without settleStop': (manager) => {
    const { settleStop: _, ...callbacks } = loopCallbacks(manager);
    return callbacks;
  },
  'by loopCallbacks': (manager) => loopCallbacks(manager),
};

export function wiringOf(name: string): Wiring {
  const wiring = WIRINGS[name];
  if (wiring === undefined) throw new Error(`there is no wiring ${name}`);
  return wiring;
}
