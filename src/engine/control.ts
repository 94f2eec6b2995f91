import { handleEvent } from './handle-event.ts';
import { runAsync } from './pipeline.ts';
import type { AsyncEffects, Control, Store } from './ports.ts';
import { startLoop } from './start-loop.ts';

/** The control port over a store on this machine. */
export function embeddedControl(store: Store, world: Pick<AsyncEffects, 'readClock' | 'probe'>): Control {
  const effects: AsyncEffects = { ...world, load: store.load, create: store.create, commit: store.commit };
  const post: Control['post'] = (loop, event, report) => runAsync(handleEvent(loop, event, report), effects);
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
