import { withoutByteOrderMark } from '../core/parse-json.ts';
import path from 'node:path';
import { Fault } from '../core/fault.ts';
import type { LoopTemplate } from '../core/loop-templates.ts';
import { LOOP_TEMPLATES, loopTemplate } from '../core/loop-templates.ts';
import { fillTemplate } from '../core/template.ts';
import { requireGoalSize } from '../engine/spec/require-goal.ts';
import { readTextIfExists } from '../system/files.ts';
import { filesOfFolder } from '../system/folder.ts';
import { didYouMean } from '../views/nearest-word.ts';
import { oneLine } from '../views/printable.ts';
import type { GoalSources } from './goal.ts';
import { goalFrom } from './goal.ts';

/** A goal with a place for the user's own words. A project's template is only text; a built-in one also sets its claim and how long it may run. */
export type Template = {
  readonly name: string;
  readonly from: 'built-in' | 'project';
  readonly title: string;
  /** `{{GOAL}}` stands for the user's text. */
  readonly text: string;
  readonly claim: string | null;
  readonly iterationsMax: number | null;
};

const PLACE = '{{GOAL}}';
const FOLDER = ['.tireless', 'templates'] as const;
const ENDING = '.md';
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u;
const TITLE_CHARS_MAX = 80;

/** The project's templates first: they override built-in ones of the same name. */
export function allTemplates(project: string): readonly Template[] {
  const own = namesOf(project);
  return [
    ...own.map((name) => readTemplate(project, name)),
    ...LOOP_TEMPLATES.filter(({ name }) => !own.includes(name)).map(builtIn),
  ];
}

/** Reads only the file of this name, so that another unreadable file does no harm. */
export function templateNamed(name: string, project: string): Template {
  if (!NAME.test(name))
    throw new Fault(
      'USAGE',
      `Cannot use "${oneLine(name, 60)}" as the name of a template: it must be a plain name, without a folder. ${known(project)}`,
    );
  // Compares the names in the folder instead of opening the file: on some disks "Feature" opens "feature".
  if (namesOf(project).includes(name)) return requireText(readTemplate(project, name));
  const found = loopTemplate(name);
  if (found === undefined)
    throw new Fault(
      'USAGE',
      `There is no template "${oneLine(name, 60)}".${didYouMean(name, allNames(project))} ${known(project)}`,
    );
  return builtIn(found);
}

/** The template's text with the user's words in it, as typed. If the template has no place for a goal, the goal is refused, not lost. */
export async function goalFromTemplate({ name, text }: Template, sources: GoalSources): Promise<string> {
  const places = text.split(PLACE).length - 1;
  if (places === 0) {
    if (sources.words.length > 0 || sources.file !== undefined || (sources.listed ?? '') !== '')
      throw new Fault(
        'USAGE',
        `The template "${name}" has no place for a goal, but one was given. Leave it out, or write ${PLACE} into the template.`,
      );
    requireGoalSize(Buffer.byteLength(text));
    return fillTemplate(text, {});
  }
  const example = `--template ${name} "what to do" --check "npm test"`;
  const goal = (await goalFrom(sources, { problem: `The template "${name}" needs your words`, example })).trim();
  requireGoalSize(Buffer.byteLength(text) + places * Buffer.byteLength(goal));
  return fillTemplate(text, { GOAL: goal });
}

function builtIn({ name, title, goal, claim, iterationsMax }: LoopTemplate): Template {
  // With the placeholder of a project's file, so that the printed text can be saved as one.
  return { name, from: 'built-in', title, text: fillTemplate(goal, { INPUT: PLACE }), claim, iterationsMax };
}

function readTemplate(project: string, name: string): Template {
  const file = path.join(project, ...FOLDER, `${name}${ENDING}`);
  const text = withoutByteOrderMark(readTextIfExists(file) ?? '').trimEnd();
  return { name, from: 'project', title: titleOf(text), text, claim: null, iterationsMax: null };
}

function requireText(template: Template): Template {
  if (template.text !== '') return template;
  throw new Fault(
    'USAGE',
    `Cannot use the template "${template.name}": its file is empty. Write the goal into .tireless/templates/${template.name}${ENDING}, with ${PLACE} for your words.`,
  );
}

function titleOf(text: string): string {
  const line = text.split(/\r\n|\r|\n/).find((each) => each.trim() !== '') ?? '';
  return line === '' ? '(empty)' : oneLine(line.replace(/^\s*#+\s+/, ''), TITLE_CHARS_MAX);
}

function namesOf(project: string): readonly string[] {
  return filesOfFolder(path.join(project, ...FOLDER))
    .filter((file) => file.name.endsWith(ENDING))
    .map((file) => file.name.slice(0, -ENDING.length))
    .filter((name) => NAME.test(name));
}

function known(project: string): string {
  return `Use one of ${allNames(project).join(', ')}; a project file .tireless/templates/NAME.md adds one.`;
}

function allNames(project: string): readonly string[] {
  return [...new Set([...namesOf(project), ...LOOP_TEMPLATES.map(({ name }) => name)])];
}
