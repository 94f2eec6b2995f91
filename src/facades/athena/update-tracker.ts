import { ITERATIONS_MAX } from '../../dialects/athena/workflow.ts';
import { setFields } from '../../dialects/front-matter.ts';
import type { DialectPlace } from '../../engine/loop-of-file.ts';
import { loopOfFile } from '../../engine/loop-of-file.ts';
import type { SessionRef } from '../../core/loop.ts';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { changeFile } from '../../engine/change-file.ts';
import { otherDriver } from './decision-words.ts';
import type { Logger } from './logger.ts';
import type { LoopManager } from './loop-manager.ts';
import type { LoopState } from './loop-state.ts';

type Target = Pick<LoopManager, 'incrementIteration' | 'deactivate'> & {
  readonly engine: EmbeddedEngine;
  readonly place: DialectPlace & { readonly session: SessionRef };
  readonly logger: Logger;
};

/** `updateLoopState` of a manager. `shown`: the iteration it showed last; `null` = none. No value is dropped without a warning. */
export function updateTracker(target: Target, update: Partial<LoopState>, shown: number | null): void {
  const { active, iteration, maxIterations, ...rest } = update;
  const refused = Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (refused.length > 0)
    refuse(target, refused.join(', '), 'edit the tracker, or start the manager with another config');
  if (maxIterations !== undefined) setMaximum(target, maxIterations);
  if (active === false) {
    target.deactivate();
    return;
  }
  if (active === true && !isTrackerActive(target)) refuse(target, 'active', 'createLoopManager starts a new loop');
  if (iteration === undefined || iteration === shown) return;
  if (shown === null || iteration === shown + 1) target.incrementIteration();
  else refuse(target, 'iteration', `the counter is at ${shown}, and a blocked stop raises it by one`);
}

function isTrackerActive({ engine, place: { live } }: Target): boolean {
  const bytes = engine.effects.readFile(live.path);
  const reading = bytes === null ? null : live.dialect.read(bytes.text);
  return reading?.kind === 'loop' && reading.active;
}

/** Edits the tracker as if by hand: takes effect at the next stop. */
function setMaximum(target: Target, maximum: number): void {
  const { engine, place } = target;
  if (!Number.isInteger(maximum) || maximum < 0 || maximum > ITERATIONS_MAX) {
    refuse(target, 'maxIterations', `${maximum} is not a whole number from 0 to ${ITERATIONS_MAX}`);
    return;
  }
  const known = engine.run(loopOfFile(place));
  const other = known === undefined ? null : otherDriver(known, place.session);
  if (other !== null) {
    refuse(target, 'maxIterations', other);
    return;
  }
  const isChanged = changeFile(engine.effects, place.live.path, (text) =>
    text === null ? null : setFields(text, { max_iterations: maximum }),
  );
  if (!isChanged) refuse(target, 'maxIterations', 'someone keeps changing the tracker');
}

function refuse({ place, logger }: Target, what: string, why: string): void {
  logger.warn(`Loop tracker ${place.live.path}: updateLoopState does not change ${what}: ${why}.`);
}
