import { HOSTS } from './hosts.ts';

export type HostId = keyof typeof HOSTS;

/** The hosts by the names people type. */
// `Object.keys` loses the literal types of the list's ids.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
export const HOST_IDS: readonly HostId[] = Object.keys(HOSTS) as HostId[];

/** The host of a session if none is named. */
export const DEFAULT_HOST: HostId = 'claude-code';

/** `undefined` = no host has this name. */
export function hostNamed(name: string | undefined): HostId | undefined {
  return HOST_IDS.find((id) => id === name);
}
