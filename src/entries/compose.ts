import type { Services } from '../cli/services.ts';
import type { Control, Store } from '../engine/ports.ts';
import type { CheckUpdate } from '../evidence/probe.ts';
import { currentPlatform, tirelessHome } from '../system/paths.ts';

/** The command line on this machine: loops in files, checks as processes. Each part is loaded when a command asks for it. */
export function composeServices(
  warn: (sentence: string) => void,
  home: () => string = () => tirelessHome(currentPlatform()),
): Services {
  let opened: Promise<Store> | undefined;
  const store = (): Promise<Store> => (opened ??= openStore(home(), warn));
  return {
    home,
    store,
    control: async () => openControl(await store(), home()),
    trust: async () => (await import('../stores/trust.ts')).openTrust(home()),
    drive: async (request) => {
      const { driveHere } = await import('./compose-driver.ts');
      const control = await openControl(await store(), home(), ({ name, phase, result }) =>
        request.show(
          phase === 'started' || result === undefined ? { kind: 'check-began', name } : { kind: 'check-ended', result },
        ),
      );
      return driveHere(request, control, home());
    },
    at: (elsewhere) => composeServices(warn, () => elsewhere),
  };
}

async function openStore(home: string, warn: (sentence: string) => void): Promise<Store> {
  const { openFileStore } = await import('../stores/file-store.ts');
  return openFileStore({ home, warn });
}

async function openControl(store: Store, home: string, onCheck?: (update: CheckUpdate) => void): Promise<Control> {
  const [{ embeddedControl }, { createProbes }, { readHeartbeat }, { systemClock }] = await Promise.all([
    import('../engine/control.ts'),
    import('../evidence/probe.ts'),
    import('../stores/heartbeat.ts'),
    import('../system/clock.ts'),
  ]);
  const probes = createProbes({
    readHeartbeat: (loop) => readHeartbeat(home, loop),
    ...(onCheck === undefined ? {} : { onCheck }),
  });
  return embeddedControl(store, { readClock: systemClock().read, probe: probes.probe });
}
