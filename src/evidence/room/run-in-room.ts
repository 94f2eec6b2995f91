import path from 'node:path';
import type { CheckResult } from '../../core/evidence.ts';
import type { CheckSpec, LoopId } from '../../core/loop.ts';
import type { Steps } from '../command-steps.ts';
import { runCheck } from '../run-check.ts';
import type { Room } from './make-room.ts';
import { namesProject, withRoot } from './paths-out.ts';

/** For all checks of a room together: they share one journal entry. */
const TAILS_BYTES_MAX = 8 * 1024;
/** Less than a prompt gives to one check, so that the prompt does not cut it again. */
const TAIL_BYTES_MAX = 2700;
const SETUP_TIMEOUT_MS = 30 * 60 * 1000;

export type RoomRunRequest = {
  readonly loop: LoopId;
  readonly room: Room;
  /** The project and its root, as the output names them. */
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly setup: string | undefined;
  readonly onCheck: (name: string, result?: CheckResult, output?: string) => void;
};

function commandIn({ root, room }: RoomRunRequest, command: string): string {
  return withRoot(command, root, room.root);
}

/** Does the command lead to the project even after the project's path was replaced by the room's? */
export function leadsToProject(request: RoomRunRequest, command: string): boolean {
  return namesProject(commandIn(request, command), { ...request, room: request.room.dir });
}

/** How the setup command ended, as a check result; `null` = there is none. */
export function* runSetup(request: RoomRunRequest): Steps<CheckResult | null> {
  if (request.setup === undefined) return null;
  const probe = { kind: 'command', command: request.setup } as const;
  return yield* runOne(request, { name: 'room setup', probe, timeoutMs: SETUP_TIMEOUT_MS, holdout: false });
}

/** How much output each check may keep, for this number of checks. */
export function tailShare(checks: number): number {
  return Math.min(TAIL_BYTES_MAX, Math.floor(TAILS_BYTES_MAX / checks));
}

export function* runOne(
  request: RoomRunRequest,
  check: CheckSpec,
  tailBytesMax: number = TAIL_BYTES_MAX,
): Steps<CheckResult> {
  const { loop, room, root, cwd, environment } = request;
  if (check.probe.kind !== 'command') return { name: check.name, result: 'unknown', durationMs: 0, tail: '' };
  request.onCheck(check.name);
  let output = '';
  const result = yield* runCheck({
    loop,
    cwd: path.join(room.root, path.relative(root, cwd)),
    check,
    command: commandIn(request, check.probe.command),
    tailBytesMax,
    environment: { ...environment, ...room.environment },
    onOutput: (text) => (output = text),
  });
  // People and agents know the project's path, and do not need that of the room.
  const shown = { ...result, tail: result.tail.replaceAll(room.root, root) };
  if (!check.holdout) request.onCheck(check.name, shown, output.replaceAll(room.root, root));
  // Nobody sees the output of a hold-out while the loop runs.
  else request.onCheck(check.name, { ...shown, tail: '' });
  return shown;
}
