/**
 * Who calls, by where the process came from: for agents that left nothing in their environment. Pure; the facts are read from `/proc`, so they
 * exist only on Linux. A person who works in another terminal, over ssh, in tmux, in a container, from cron or a service must never match.
 */
export type Ancestor = {
  readonly pid: number;
  /** In ticks since the boot, 10 ms long. A driver needs more than one before its first agent begins. */
  readonly began: number;
  readonly name: string;
  /** The id of its session, in the sense of the operating system. */
  readonly session: number;
};

export type CallerPlace = {
  /** `''` = not known: nothing can be read there. */
  readonly pids: string;
  readonly boot: string;
  /** When the first process of the namespace that is visible here began; `null` = not known. */
  readonly firstBegan: number | null;
  readonly hasTerminal: boolean;
  readonly group: string;
  /** The process itself first, then its ancestors. A last one without a parent entered from outside, unless it is process 1. */
  readonly line: readonly Ancestor[];
};

/** A process that starts agents: the driver of an outer loop, or the program that runs a session. */
export type ControllerPlace = {
  readonly kind: 'driver' | 'host';
  readonly pids: string;
  readonly boot: string;
  readonly pid: number;
  readonly began: number | null;
  /** `null` = cannot be seen from where the caller is. */
  readonly seen: { readonly session: number; readonly group: string } | null;
};

/** `namespace`: it is in a process namespace that was made while the loop runs. `orphan`: it left its parents, and has no terminal. */
export type AgentPlace = 'namespace' | 'descendant' | 'orphan';

/** Constant in every Linux kernel: a process there is in no namespace of an agent. */
const OUTERMOST = '4026531836';
/** As process 1 of a container, these start what a person has set up. */
const STARTS_SERVICES = /cron|^atd$|^sshd|^dropbear|supervis|^s6-|^runsv|^containerd/u;
/** Adopts orphans below process 1. */
const SUBREAPER = 'systemd';

/** `null` = nothing says that an agent of this controller calls. */
export function agentPlace(caller: CallerPlace, controller: ControllerPlace): AgentPlace | null {
  // Only someone who hides the processes has none to show.
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

/** Agents and checks get a session of their own. Another child belongs to the program that drives the loop as a library. */
function isStartedBy({ pid }: ControllerPlace, session: number, { line }: CallerPlace): boolean {
  const at = line.findIndex((each) => each.pid === pid);
  const child = line[at - 1];
  return child !== undefined && child.session !== session;
}

/** Adopted, without a terminal, in a session that began after the controller, and still in its control group, where no service is. */
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
