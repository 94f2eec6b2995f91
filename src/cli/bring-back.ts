import type { Loaded } from '../engine/ports.ts';
import { isBroughtBack } from '../system/driver-process.ts';
import type { World } from './services.ts';

/** Will a process continue the session of this loop by itself? If that process is dead, another one is started. */
export async function willBeBroughtBack(
  { spec, state }: Loaded,
  { services }: Pick<World, 'services'>,
): Promise<boolean> {
  if (isBroughtBack(state)) return true;
  if (state.watcher === undefined || spec.dialect === undefined) return false;
  const { restartWatch } = await services.dialectExtras(spec.dialect.name);
  return restartWatch?.(state.loop) ?? false;
}
