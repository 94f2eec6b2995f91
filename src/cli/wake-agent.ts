import type { Loaded } from '../engine/ports.ts';
import { runAsync } from '../engine/pipeline.ts';
import { obeyFile } from '../engine/obey-file.ts';
import { whyUnreadable } from '../engine/live-file.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { WakeWorld } from '../engine/wait-to-wake.ts';
import { waitToWake } from '../engine/wait-to-wake.ts';
import type { Host } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { systemClock } from '../system/clock.ts';
import { isWorkerAlive, workerOf } from '../system/worker-identity.ts';
import { failureOf } from './failure.ts';
import type { World } from './services.ts';

/** Set by the bundler from package.json. */
// oxlint-disable-next-line no-underscore-dangle -- Two underscores say that no module defines it.
declare const __TIRELESS_VERSION__: string;

/** What our own plugins say (`plugins/ask.js`). */
const PLUGIN_CLIENT = 'TIRELESS_CLIENT';

/** Without the process of the client, it is impossible to notice that the client is gone: then the wait is short. */
const BLIND_WAIT_MS_MAX = 10 * 60 * 1000;

type Waking = {
  readonly host: string;
  readonly transcript: string | undefined;
} & Partial<Pick<WakeWorld, 'control' | 'textFor'>>;

/** The exit code with which a hook in the background begins a turn. */
const WAKES = 2;

/**
 * The reply is written, and `waiting` resolves with what wakes the agent (`null` = nobody is woken). Returns the exit code. A failure from here on
 * is only reported: the next event of the session continues the loop.
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

/** Waits until the failed turn of this loop is tried again. Returns what wakes the agent; `null` = the loop continued without it, or is over. */
export async function waitForRetry(
  failed: Loaded,
  { host, transcript, ...more }: Waking,
  { env, services }: Pick<World, 'env' | 'services'>,
): Promise<string | null> {
  const clock = systemClock();
  const { bytesOf } = (await services.session()).hostEnvironment;
  const variable = Object.values(HOSTS).find(({ id }) => id === host)?.capabilities.clientVariable;
  const pid = Number(env[variable ?? PLUGIN_CLIENT]);
  const giveUpMs = clock.read().wallMs + BLIND_WAIT_MS_MAX;
  const client = Number.isSafeInteger(pid) && pid > 1 ? workerOf(pid, clock) : null;
  return waitToWake(failed, {
    control: await services.control(),
    nowMs: () => clock.read().wallMs,
    sleep: (ms) => clock.sleep(ms).done,
    transcriptBytes: () => (transcript === undefined ? null : bytesOf(transcript)),
    isClientAlive: () => (client === null ? clock.read().wallMs < giveUpMs : isWorkerAlive(client) !== false),
    ...more,
  });
}

/**
 * The same after a payload that may report a failed turn of a loop in a state file. A file that is gone, switched off, replaced or cannot be read
 * wakes nobody.
 */
export async function waitForRetryInFile(
  payload: unknown,
  { host, dialect }: { readonly host: Host; readonly dialect: Dialect },
  world: World,
): Promise<string | null> {
  const { services, env } = world;
  const { effects, hostEnvironment } = await services.session();
  const decoded = host.decode(payload, { ...hostEnvironment, variables: env });
  if (decoded === 'not-ours' || decoded.event.kind !== 'turn-failed' || decoded.session === null) return null;
  const loop = await effects.loopOfSession(decoded.session);
  const failed = loop === undefined ? undefined : await effects.load(loop);
  if (failed?.spec.dialect?.name !== dialect.name) return null;
  const control = await services.control();
  const live = await services.liveFile(failed.spec, failed.state.cwd);
  if (live === undefined) return null;
  const get: typeof control.get = async (id) => {
    const loaded = await control.get(id);
    if (loaded === undefined || (await runAsync(whyUnreadable(live), effects)) !== null) return undefined;
    return runAsync(obeyFile(loaded, live), effects);
  };
  const transcript = decoded.transcriptPath ?? undefined;
  const textFor = (woken: Loaded): string => textAgain(dialect, woken);
  return waitForRetry(failed, { host: host.id, transcript, control: { ...control, get }, textFor }, world);
}

/** The words of the document for the iteration that runs again. */
function textAgain(dialect: Dialect, loop: Loaded): string {
  const { counted, plan } = loop.state;
  const { strategy, unmet } = plan;
  const decision = {
    kind: 'continue',
    iteration: counted + 1,
    strategy,
    last: false,
    delayMs: 0,
    rerun: true,
    unmet,
  } as const;
  return dialect.wordsFor({ decision, loop, reading: null }).text;
}
