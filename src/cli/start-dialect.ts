import type { SessionRef } from '../core/loop.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { buildSpec } from '../engine/spec/build-spec.ts';
import type { WrittenStateFile } from '../setup/create-state-file.ts';
import { createStateFile, criteriaFor } from '../setup/create-state-file.ts';
import { systemClock } from '../system/clock.ts';
import { newLoopId } from '../system/ids.ts';
import { readGoal } from './read-goal.ts';
import { parseDialect } from './parse-dialect.ts';
import { projectDirectory } from '../system/project.ts';
import type { World } from './services.ts';
import { TYPED_FLAGS } from './spec-options.ts';
import type { StartParsed } from './start-args.ts';
import { startOptions } from './start-args.ts';
import { askedTimes, refuseForeignFlags } from './start-dialect-flags.ts';

/** `tireless start --dialect`: turns the typed flags into a request for a new state file. */
export async function startDialect(
  { words, values: flags }: StartParsed,
  session: SessionRef | null,
  world: World,
): Promise<WrittenStateFile> {
  const name = parseDialect(flags.dialect ?? '');
  refuseForeignFlags(name, flags);
  const dialect = await world.services.dialect(name);
  const project = projectDirectory(flags.cwd, world.cwd);
  const loop = newLoopId(systemClock().read());
  const { goal, template, criteria } = await readGoal(words, flags, project, world);
  const options = startOptions({ ...flags, claim: [] }, criteriaFor(dialect, goal, criteria));
  const spec = buildSpec({ loop, goal, options, template, driver: 'session' }, TYPED_FLAGS);
  const { maxIterationsDefault } = DIALECTS[name];
  return createStateFile(
    {
      name,
      dialect,
      loop,
      spec,
      session,
      project,
      maximum: Number(flags['max-iterations'] ?? template?.iterationsMax ?? maxIterationsDefault),
      claims: {
        typed: flags.claim,
        ofTemplate: template?.claim ?? null,
        isFileWatched: flags['watch-file'] !== undefined,
        isFromTodos: flags['from-todos'] !== undefined,
      },
      asked: askedTimes(flags),
    },
    world.services,
  );
}
