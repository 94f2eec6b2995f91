import { HOST_IDS } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { SetupWorld } from '../setup-world.ts';

/** What a client needs to find itself and its settings. The user's keys, tokens and addresses are not included. */
const KEPT = [
  'HOME',
  'USER',
  'LOGNAME',
  'PATH',
  'LANG',
  'LC_ALL',
  'SHELL',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SYSTEMROOT',
  'Path',
  'PATHEXT',
  'TEMP',
  'TMP',
  ...HOST_IDS.flatMap((host) => HOSTS[host].trial.keepsVariables ?? []),
];

/** Nothing listens there: requests to other machines fail. */
const UNREACHABLE_PROXY = 'http://127.0.0.1:9';
const LOOPBACK = '127.0.0.1,localhost';

/** For a client that is only examined: complete, but without keys and network access. */
export function plainEnvironment({ env, services }: Pick<SetupWorld, 'env' | 'services'>): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    TERM: 'dumb',
    TIRELESS_HOME: services.home(),
    HTTPS_PROXY: UNREACHABLE_PROXY,
    https_proxy: UNREACHABLE_PROXY,
    NO_PROXY: LOOPBACK,
    no_proxy: LOOPBACK,
  };
}
