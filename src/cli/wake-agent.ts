import type { Dialect } from '../dialects/dialect.ts';
import { runAsync } from '../engine/pipeline.ts';
import type { WakeFile } from '../engine/wake-in-file.ts';
import { waitToWakeInFile } from '../engine/wake-in-file.ts';
import type { Host } from '../hosts/host.ts';
import { failureOf } from './failure.ts';
import type { World } from './services.ts';

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores mean that no module defines it.
declare const __TIRELESS_VERSION__: string;

/** The exit code with which a hook in the background begins a turn. */
const WAKES = 2;

/**
 * The reply is written, and `waiting` resolves with the prompt that wakes the agent (`null` = nobody is woken). Returns the exit code. A
 * failure from here on is only reported: the next event of the session continues the loop.
 */
export async function wakeWhenDue(waiting: Promise<string | null>, { stderr }: Pick<World, 'stderr'>): Promise<number> {
  try {
    const prompt = await waiting;
    if (prompt === null) return 0;
    stderr.write(`${prompt}\n`);
    return WAKES;
  } catch (error) {
    stderr.write(failureOf(error, __TIRELESS_VERSION__).stderr);
    return 0;
  }
}

/** If the payload reports a failed turn of a loop in a state file: waits for its retry. `null` = nobody is woken. */
export async function waitForRetryInFile(
  payload: unknown,
  { host, dialect }: { readonly host: Host; readonly dialect: Dialect },
  { services, env }: World,
): Promise<string | null> {
  const { effects, hostEnvironment } = await services.session();
  const decoded = host.decode(payload, { ...hostEnvironment, variables: env });
  if (decoded === 'not-ours' || decoded.event.kind !== 'turn-failed' || decoded.session === null) return null;
  const loop = await effects.loopOfSession(decoded.session);
  const failed = loop === undefined ? undefined : await effects.load(loop);
  if (failed?.spec.dialect?.name !== dialect.name) return null;
  const live = await services.liveFile(failed.spec, failed.state.cwd);
  if (live === undefined) return null;
  const file: WakeFile = {
    live,
    run: (pipeline) => runAsync(pipeline, effects),
    textFor: (decision, woken) => dialect.wordsFor({ decision, loop: woken, reading: null }).text,
  };
  return waitToWakeInFile(failed, file, await services.wakeWorld(host.id, decoded.transcriptPath ?? undefined));
}
