import type { Event } from '../core/event.ts';
import type { LoopId, Spec } from '../core/loop.ts';
import { handleEvent } from './handle-event.ts';
import { handleLiveEvent } from './live-event.ts';
import type { LiveFile } from './live-file.ts';
import type { FileEffects } from './no-files.ts';
import { NO_FILES } from './no-files.ts';
import { runAsync } from './pipeline.ts';
import type { AsyncEffects, Control, Handled, Store } from './ports.ts';
import { startLoop } from './start-loop.ts';

export type ControlWorld = Pick<AsyncEffects, 'readClock' | 'probe'> & {
  readonly files?: FileEffects;
  /** Finds a loop's foreign file; without this function such a loop is driven by its journal alone. */
  readonly liveFileOf?: (spec: Spec, cwd: string) => Promise<LiveFile | undefined>;
  /** After each event, updates what a document keeps beside its loop's file (`DialectExtras.settle`). */
  readonly settle?: (event: Event, handled: Handled) => Promise<void>;
};

/** What pipelines such as `armLoop` run with: `runAsync(armLoop(request), effects)`. */
export function embeddedEffects(store: Store, { readClock, probe, files = NO_FILES }: ControlWorld): AsyncEffects {
  return { ...store, readClock, probe, ...files };
}

/** The control port over a store on this machine. */
export function embeddedControl(store: Store, world: ControlWorld): Control {
  const { liveFileOf, settle } = world;
  const effects = embeddedEffects(store, world);
  const liveFile = async (loop: LoopId): Promise<LiveFile | undefined> => {
    if (liveFileOf === undefined) return undefined;
    const loaded = store.load(loop);
    return loaded?.spec.dialect === undefined ? undefined : liveFileOf(loaded.spec, loaded.state.cwd);
  };
  const post: Control['post'] = async (loop, event, report = {}) => {
    const live = await liveFile(loop);
    if (live === undefined) return runAsync(handleEvent(loop, event, report), effects);
    const handled = await runAsync(handleLiveEvent(loop, event, report, live), effects);
    await settle?.(event, handled);
    return handled;
  };
  return {
    start: async (request) => {
      const loaded = await runAsync(startLoop(request), effects);
      if (request.session !== null) store.bindSession(request.session, request.loop);
      return loaded;
    },
    post,
    cancel: (loop) => post(loop, { kind: 'cancel-requested' }),
    get: async (loop) => store.load(loop),
    list: async (filter) => store.list(filter),
    entries: async (loop) => store.entries(loop),
    watch: store.watch,
  };
}
