import { HOSTS } from '../hosts/hosts.ts';
import type { HostPlan } from '../setup/settings/host-plan.ts';
import { plannedFiles } from '../setup/settings/plan-diff.ts';
import { planLines } from '../setup/settings/plan-lines.ts';
import { isOnPath } from '../system/settings-files.ts';
import { diffTone } from '../terminal/diff-lines.ts';
import { painter, wantsColours } from '../terminal/style.ts';
import { printable } from '../views/printable.ts';
import { say } from './io.ts';
import type { World } from './services.ts';

/** The exact change of every file, then its purpose, so that the question comes right below and not above a long diff. */
export function showPlan(plan: HostPlan, { stdout, env }: World): void {
  const paint = painter(stdout.isTTY && wantsColours(env));
  const diffs = plannedFiles(plan).flatMap(({ diff }) => (diff === '' ? [] : [...diff.trimEnd().split(/\r?\n/u), '']));
  stdout.write(diffs.map((line) => `${paint(diffTone(line), printable(line))}\n`).join(''));
  const [title = '', ...lines] = planLines(plan);
  say(stdout, title, ...absentLines(plan, env), ...lines, '');
}

/** The hooks of an agent that is not installed are written anyway: the user may install it next. */
export function absentLines({ record }: Pick<HostPlan, 'record'>, env: World['env']): readonly string[] {
  const { programs } = HOSTS[record.host].install.signs;
  if (programs.some((program) => isOnPath(program, env))) return [];
  return [
    `  note: ${HOSTS[record.host].capabilities.title} is not installed, or not on your PATH (no program "${programs.join('", "')}"); its hooks run once it is`,
  ];
}
