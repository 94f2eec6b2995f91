import path from 'node:path';
import type { CheckResult } from '../../core/evidence.ts';
import type { CheckSpec } from '../../core/loop.ts';
import type { Steps } from '../command-steps.ts';
import { lookAtFiles, lookResult } from '../file-probes.ts';
import { keepOf } from './clean-room.ts';
import type { RoomSite } from './furnish.ts';
import { makeRoom, removeRoom } from './make-room.ts';
import type { KeptProject } from './private-git.ts';
import { withOwnObjects } from './private-git.ts';
import { readCommit } from './read-commit.ts';
import type { Lack } from './read-work.ts';
import { isLack } from './read-work.ts';

/** Runs checks that only read files on a commit: in a folder with its files and nothing else. */
export function* lookAtCommit(
  site: RoomSite,
  commit: string,
  checks: readonly CheckSpec[],
): Steps<readonly CheckResult[] | Lack> {
  if (checks.length === 0) return [];
  return yield* withOwnObjects(yield* keepOf(site), (keep) => lookIn(site, keep, { commit, checks }));
}

function* lookIn(
  { world, cwd }: RoomSite,
  keep: KeptProject,
  { commit, checks }: { readonly commit: string; readonly checks: readonly CheckSpec[] },
): Steps<readonly CheckResult[] | Lack> {
  const work = yield* readCommit(keep, commit);
  if (isLack(work)) return work;
  const room = yield* makeRoom(keep, {
    rooms: world.rooms,
    files: work.files,
    texts: new Map(),
    added: [],
    dependencies: new Map(),
    kept: [],
    home: { real: world.home, changed: [], record: {} },
  });
  if (room.kind === 'lack') return room;
  try {
    const project = path.join(room.root, path.relative(keep.root, cwd));
    return checks.map((check) => lookOne(project, check));
  } finally {
    removeRoom(room.dir);
  }
}

function lookOne(project: string, check: CheckSpec): CheckResult {
  const { name, probe } = check;
  const began = performance.now();
  if (probe.kind === 'command') return { name, result: 'unknown', durationMs: 0, tail: '' };
  const look =
    probe.kind === 'git-clean'
      ? ({ result: 'passed', detail: 'A commit has nothing uncommitted.' } as const)
      : lookAtFiles(project, check, probe);
  return lookResult(name, Math.round(performance.now() - began), look);
}
