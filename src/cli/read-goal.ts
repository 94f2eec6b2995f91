import type { GoalSources } from './goal.ts';
import { goalFrom } from './goal.ts';
import type { Template } from './templates.ts';
import { goalFromTemplate, templateNamed } from './templates.ts';
import { readTodoList } from './read-todo-list.ts';
import type { World } from './services.ts';

type GoalFlags = {
  readonly 'goal-file': string | undefined;
  readonly 'from-todos': string | undefined;
  readonly template: string | undefined;
  readonly criterion: readonly string[];
};

type LoopGoal = {
  readonly goal: string;
  readonly template: Template | null;
  /** Criteria from the list first, then the typed ones. */
  readonly criteria: readonly string[];
};

/** The goal in words: typed, from a file or stdin, placed in a template, with the open TODOs of a list. Throws `USAGE`. */
export async function readGoal(
  words: readonly string[],
  flags: GoalFlags,
  project: string,
  world: Pick<World, 'cwd' | 'stdin'>,
): Promise<LoopGoal> {
  const template = flags.template === undefined ? null : templateNamed(flags.template, project);
  const listed = await readTodoList(flags['from-todos'], world.cwd);
  const sources: GoalSources = { words, file: flags['goal-file'], stdin: world.stdin, listed: listed.goal };
  const goal = await (template === null ? goalFrom(sources) : goalFromTemplate(template, sources));
  return { goal, template, criteria: [...listed.criteria, ...flags.criterion] };
}
