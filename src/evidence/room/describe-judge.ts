import type { JudgeFiles, JudgeReport } from '../../core/judge-report.ts';
import type { Steps } from '../command-steps.ts';
import type { Judge } from '../judge/classify.ts';
import { judgePartsIn } from '../judge/parts.ts';
import type { JudgeScope } from './baseline.ts';
import { judgeFor } from './baseline.ts';
import type { FileList } from './file-list.ts';
import { parseList } from './file-list.ts';
import type { KeptProject } from './private-git.ts';
import { readBlobs } from './read-work.ts';
import type { Record } from './record.ts';

const NAMES_MAX = 8;
const MIXED_SHOWN_MAX = 20;
/** Each Rust source file may contain tests: no more than this many are read. */
const MIXED_READ_MAX = 2000;

const ROLES: readonly JudgeFiles['role'][] = ['test', 'fixture', 'snapshot', 'config', 'script', 'protected', 'shadow'];

/** Which files of the baseline judge the work, by role. */
export function* describeJudge(keep: KeptProject, record: Record, scope: JudgeScope): Steps<JudgeReport> {
  const { files } = parseList(record.files);
  const judge = judgeFor(scope, files, (file) => record.texts[file], record.helpers);
  const named = new Map<string, string[]>();
  for (const file of files.keys()) {
    const role = judge.roleOf(file);
    if (role !== undefined) named.set(role, [...(named.get(role) ?? []), file]);
  }
  const mixed = yield* mixedIn(keep, files, judge);
  return {
    roles: ROLES.flatMap((role) => {
      const names = named.get(role);
      return names === undefined ? [] : [{ role, count: names.length, names: names.slice(0, NAMES_MAX) }];
    }),
    mixed: mixed.slice(0, MIXED_SHOWN_MAX),
    mixedMore: Math.max(0, mixed.length - MIXED_SHOWN_MAX),
  };
}

function* mixedIn(keep: KeptProject, files: FileList, judge: Judge): Steps<JudgeReport['mixed']> {
  const shared = [...files].filter(([file]) => judge.isMixed(file)).slice(0, MIXED_READ_MAX);
  const texts = yield* readBlobs(
    keep,
    shared.map(([, entry]) => entry.blob),
  );
  return shared.flatMap(([file, { blob }]) => {
    const parts = judgePartsIn(file, texts.get(blob)?.toString('utf8') ?? '', judge.aliasesIn(file));
    return parts.length === 0 ? [] : [{ path: file, parts }];
  });
}
