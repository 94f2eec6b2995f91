import type { Services } from '../cli/services.ts';
import type { Store } from '../engine/ports.ts';
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
    control: async () => (await import('./compose-control.ts')).openControl(await store(), home()),
    trust: async () => (await import('../stores/trust.ts')).openTrust(home()),
    dialect: async (name) => (await import('./dialects.ts')).loadDialect(name),
    dialectExtras: async (name) => (await import('./dialects.ts')).loadDialectExtras(name, home()),
    session: async () => (await import('./compose-control.ts')).openSession(await store(), home()),
    jobs: async (loop) => (await import('./session-jobs.ts')).checkJobsOf(home(), loop),
    endJobs: async (loop) => (await import('../evidence/check-jobs.ts')).endJobs(home(), loop),
    forget: async (loop, session) => {
      (await import('../stores/forget-loop.ts')).forgetLoop(home(), loop, session);
      await (await import('../evidence/check-jobs.ts')).endJobs(home(), loop);
    },
    drive: async (request) => {
      const [{ driveHere }, { openControl }] = await Promise.all([
        import('./compose-driver.ts'),
        import('./compose-control.ts'),
      ]);
      const control = openControl(await store(), home(), ({ name, phase, result }) =>
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
