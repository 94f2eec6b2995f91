import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { fillTemplate } from '../core/template.ts';
import type { Criterion, Spec } from '../core/loop.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../system/files.ts';
import { realDirectory } from '../system/project.ts';

/** The goal stands last and quoted: a code fence or a ticked box in it must not count as the agent's. */
const TEMPLATE = `# Tracker

Notes of the agent: what is done, what was tried, what comes next. Tick a line when it is true.

## Criteria

{{CRITERIA}}
## Notes

## Goal

{{GOAL}}
`;

const FOLDER = '.tireless';

/** A goal of a megabyte is in the prompt already. */
const GOAL_CHARS_MAX = 4000;

/**
 * Everything in the folder stays out of commits, this file too, so that a fresh project shows nothing in `git status`. What a team
 * shares (its checks, its templates) is taken out of the rule and can be added like any other file.
 */
const IGNORE = `*
!config.json
!templates/
!templates/**
`;

/** The tracker exists and has a line for every criterion, ticked if it is `met`. What people and agents wrote in it stays as it is. */
export function ensureTracker(spec: Spec, project: string, met: readonly string[] = []): void {
  if (spec.tracker === undefined) return;
  const file = path.join(project, spec.tracker);
  const isOurs = path.dirname(file) === path.join(project, FOLDER);
  if (isOurs) refuseLeadingOut(project);
  const tick = ({ text }: Criterion): string => `- [${met.includes(text) ? 'x' : ' '}] ${text}\n`;
  const before = readTextIfExists(file);
  if (before === undefined) {
    ensureDir(path.dirname(file));
    const goal = spec.goal.length > GOAL_CHARS_MAX ? `${spec.goal.slice(0, GOAL_CHARS_MAX)}…` : spec.goal;
    const quoted = goal
      .split(/\r\n|\r|\n/)
      .map((line) => `> ${line}`)
      .join('\n');
    writeFileAtomic(file, fillTemplate(TEMPLATE, { GOAL: quoted, CRITERIA: spec.criteria.map(tick).join('') }), {
      durable: false,
    });
  } else {
    const missing = spec.criteria.filter(({ text }) => !before.includes(text)).map(tick);
    if (missing.length > 0) writeFileAtomic(file, `${before.trimEnd()}\n\n${missing.join('')}`, { durable: false });
  }
  if (isOurs) ensureIgnored(project);
}

/** A repository that somebody else made must not choose where we write. */
function refuseLeadingOut(project: string): void {
  const folder = path.join(project, FOLDER);
  const real = realDirectory(folder);
  const inner = real === undefined ? '' : path.relative(realDirectory(project) ?? project, real);
  if (!inner.startsWith('..') && !path.isAbsolute(inner)) return;
  throw new Fault(
    'STORE_UNWRITABLE',
    `Cannot keep the tracker there: ${folder} leads out of the project, to ${real ?? ''}. Remove that link, or name another file with --tracker.`,
  );
}

function ensureIgnored(project: string): void {
  const file = path.join(project, FOLDER, '.gitignore');
  if (readTextIfExists(file) === undefined) writeFileAtomic(file, IGNORE, { durable: false });
}
