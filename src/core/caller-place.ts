/**
 * Identifies the caller by its ancestors, for agents that left no trace in their environment. Pure; the facts are read from `/proc`, so
 * they exist only on Linux. A person who works in another terminal, over ssh, in tmux, in a container, from cron or a service must never
 * match.
 */
export type Ancestor = {
  readonly pid: number;
  /** In ticks of 10 ms since boot. A driver takes more than one tick before its first agent begins. */
  readonly began: number;
  readonly name: string;
  /** The session id of the operating system. */
  readonly session: number;
};

export type CallerPlace = {
  /** `''` = unknown, because it cannot be read. */
  readonly pids: string;
  readonly boot: string;
  /** When the first visible process of the namespace began; `null` = unknown. */
  readonly firstBegan: number | null;
  readonly hasTerminal: boolean;
  readonly group: string;
  /** The process itself first, then its ancestors. If the last one has no parent and is not process 1, it entered from outside. */
  readonly line: readonly Ancestor[];
};

/** A process that starts agents: the driver of an outer loop, or the program that runs a session. */
export type ControllerPlace = {
  readonly kind: 'driver' | 'host';
  readonly pids: string;
  readonly boot: string;
  readonly pid: number;
  readonly began: number | null;
  /** `null` = the caller cannot see it. */
  readonly seen: { readonly session: number; readonly group: string } | null;
};

/** `namespace`: its process namespace was created while the loop was running. `orphan`: it left its parents and has no terminal. */
export type AgentPlace = 'namespace' | 'descendant' | 'orphan';

/** The same in every Linux kernel. A process in the outermost namespace is in no namespace of an agent. */
const OUTERMOST = '4026531836';
/** As process 1 of a container, these start services that a person has set up. */
const STARTS_SERVICES = /cron|^atd$|^sshd|^dropbear|supervis|^s6-|^runsv|^containerd/u;
/** Adopts orphans, although it is not process 1. */
const SUBREAPER = 'systemd';

/** `null` = there is no sign that an agent of this controller is calling. */
export function agentPlace(caller: CallerPlace, controller: ControllerPlace): AgentPlace | null {
  // The id can only be unreadable if someone hides the processes.
  if (caller.pids === '') return 'namespace';
  if (caller.boot !== controller.boot || controller.began === null) return null;
  if (caller.pids !== controller.pids) return isMadeSince(caller, controller.began) ? 'namespace' : null;
  if (controller.seen === null) return null;
  if (controller.kind === 'driver' && isStartedBy(controller, controller.seen.session, caller)) return 'descendant';
  return isOrphan(caller, controller.began, controller.seen) ? 'orphan' : null;
}

function isMadeSince({ pids, firstBegan }: CallerPlace, began: number): boolean {
  return pids !== OUTERMOST && firstBegan !== null && firstBegan > began;
}

/** Agents and checks get their own session. Any other child belongs to a program that uses tireless as a library. */
function isStartedBy({ pid }: ControllerPlace, session: number, { line }: CallerPlace): boolean {
  const at = line.findIndex((each) => each.pid === pid);
  const child = line[at - 1];
  return child !== undefined && child.session !== session;
}

/** Adopted, without a terminal, in a session that began after the controller, and still in its control group, where no service runs. */
function isOrphan(
  { hasTerminal, group, line }: CallerPlace,
  began: number,
  seen: { readonly session: number; readonly group: string },
): boolean {
  const [self] = line;
  const adopter = line.find((each) => each.began <= began || each.pid === 1);
  if (self === undefined || adopter === undefined || hasTerminal || group !== seen.group) return false;
  const isAdopter = (adopter.pid === 1 || adopter.name === SUBREAPER) && !STARTS_SERVICES.test(adopter.name);
  return isAdopter && self.began > began && ![seen.session, adopter.session].includes(self.session);
}
