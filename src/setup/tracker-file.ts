import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Spec } from '../core/loop.ts';
import { trackerText } from '../engine/tracker-text.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { realDirectory } from '../system/project.ts';

const FOLDER = '.tireless';

/**
 * Everything in the folder stays out of commits, including this file, so that a fresh project shows nothing in `git status`. Files that a
 * team shares (its checks, its templates) are exempt from the rule and can be added like any other file.
 */
const IGNORE = `*
!config.json
!templates/
!templates/**
`;

/** Makes sure that the tracker exists and has a line for every criterion, ticked if it is `met`. Text from people and agents stays as it is. */
export function ensureTracker(spec: Spec, project: string, met: readonly string[] = []): void {
  if (spec.tracker === undefined) return;
  const file = path.join(project, spec.tracker);
  const isOurs = path.dirname(file) === path.join(project, FOLDER);
  if (isOurs) refuseLeadingOut(project);
  const before = readTextIfExists(file);
  const text = trackerText(spec, before, met);
  if (before === undefined) ensureDir(path.dirname(file));
  if (text !== null) writeFileAtomic(file, text, { durable: false });
  if (isOurs) ensureIgnored(project);
}

/** Somebody else's repository must not choose where we write. */
function refuseLeadingOut(project: string): void {
  const folder = path.join(project, FOLDER);
  const real = realDirectory(folder);
  const inner = real === undefined ? '' : path.relative(realDirectory(project) ?? project, real);
  if (!inner.startsWith('..') && !path.isAbsolute(inner)) return;
  throw new Fault(
    'STORE_UNWRITABLE',
    `Cannot keep the tracker there: ${folder} leads outside the project, to ${real ?? ''}. Remove that link, or name another file with --tracker.`,
  );
}

function ensureIgnored(project: string): void {
  const file = path.join(project, FOLDER, '.gitignore');
  if (readTextIfExists(file) === undefined) writeFileAtomic(file, IGNORE, { durable: false });
}
