import path from 'node:path';
import { parseSpec } from '../../dialects/loop-mechanics/spec.ts';
import type { LoopState } from '../../dialects/loop-mechanics/state.ts';
import { COMPLETED, figuresOf, IN_PROGRESS } from '../../dialects/loop-mechanics/state.ts';
import type { Task } from '../../dialects/loop-mechanics/task.ts';
import { readTask } from '../../dialects/loop-mechanics/task.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { filesOfFolder } from '../../system/folder.ts';
import { newId, pathPart } from '../../system/ids.ts';

/** A mirror of the loop, never its truth: nothing is decided by what a task says. */
export type TaskReader = {
  readonly TaskGet: (id: string) => Task | undefined;
  readonly TaskList: () => readonly Task[];
};

export type Tasks = TaskReader & {
  readonly TaskCreate: (task: Omit<Task, 'id'>) => Task;
  /** `undefined` = there is no such task. */
  readonly TaskUpdate: (id: string, changes: Partial<Omit<Task, 'id'>>) => Task | undefined;
};

/**
 * Tasks as files, one each, below `$TIRELESS_HOME/tasks/`. Not in the project: a bookkeeping that changes with every turn would look like
 * work, end up in commits, and be in the reach of the agent. Throws a Fault when the disk refuses.
 */
export function fileTasks(home: string, project: string): Tasks {
  const folder = path.join(home, 'tasks', pathPart(project));
  const reader = tasksIn(folder);
  const write = (task: Task): Task => {
    ensureDir(folder);
    writeFileAtomic(fileOf(folder, task.id), `${JSON.stringify(task, null, 2)}\n`, { durable: false });
    return task;
  };
  return {
    ...reader,
    TaskCreate: (task) => write({ id: `task-${newId()}`, ...task }),
    TaskUpdate: (id, changes) => {
      const before = reader.TaskGet(id);
      return before === undefined ? undefined : write({ ...before, ...changes, id });
    },
  };
}

/**
 * Claude Code's own tasks, read only: `<directory>/<n>.json`, for one list of tasks `~/.claude/tasks/<list>`. What is not a task is left
 * out; a folder that is not there has none.
 */
export function claudeCodeTasks(directory: string): TaskReader {
  return tasksIn(directory);
}

/** The steps of a loop from a list of tasks: completed ones are done. */
export function stepsOfTasks(tasks: readonly Task[]): Pick<LoopState, 'steps' | 'completedSteps' | 'remainingSteps'> {
  return {
    steps: subjects(tasks),
    completedSteps: subjects(tasks.filter((task) => task.status === COMPLETED)),
    remainingSteps: subjects(tasks.filter((task) => task.status !== COMPLETED)),
  };
}

function subjects(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task) => task.subject);
}

/** What a checkpoint writes into the task of a loop. */
export function taskOf(state: LoopState, summary: string): Omit<Task, 'id'> {
  return {
    subject: `Complete: ${summary}`,
    description: `${state.spec}\n\nSuccess criteria:\n${state.criteria.map((criterion) => `- ${criterion}`).join('\n')}`,
    status: state.status === COMPLETED ? COMPLETED : IN_PROGRESS,
    metadata: {
      iteration: state.iteration,
      ...figuresOf(state),
      completedSteps: state.completedSteps,
      remainingSteps: state.remainingSteps,
      errors: state.errors ?? [],
    },
  };
}

/** After every iteration the task says what the file says. A loop without a task gets none. */
export function checkpoint(state: LoopState | null, tasks: Tasks): void {
  if (state === null) return;
  const draft = taskOf(state, parseSpec(state.spec).summary);
  const open = tasks.TaskList().filter((task) => task.status === IN_PROGRESS);
  // A loop is known by when it began; a subject can be that of an older loop, and changes with the request.
  const own =
    state.startedAt === undefined
      ? newestOf(open.filter((task) => task.subject === draft.subject))
      : open.find((task) => task.metadata?.startedAt === state.startedAt);
  if (own !== undefined) tasks.TaskUpdate(own.id, draft);
}

/** The task of the loop that began last: ids have no order. */
export function newestOf(tasks: readonly Task[]): Task | undefined {
  return tasks.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1)).at(-1);
}

function startOf({ metadata }: Task): string {
  return metadata?.startedAt ?? '';
}

/** The state of a loop, as far as its task holds it. Criteria are not in it: they have to be verified again. */
export function stateOfTask({ description, metadata }: Task): LoopState {
  const [spec = '', listed = ''] = description.split('\n\nSuccess criteria:\n');
  const criteria = listed.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  const { completedSteps = [], remainingSteps = [], iteration = 1, ...rest } = metadata ?? {};
  return {
    spec,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((criterion) => [criterion, false])),
    steps: [...completedSteps, ...remainingSteps],
    completedSteps,
    remainingSteps,
    iteration,
    status: IN_PROGRESS,
    ...rest,
  };
}

function tasksIn(folder: string): TaskReader {
  const get = (id: string): Task | undefined => {
    const text = id === '' ? undefined : readTextIfExists(fileOf(folder, id));
    return text === undefined ? undefined : readTask(text, id);
  };
  return {
    TaskGet: get,
    TaskList: () =>
      filesOfFolder(folder)
        .filter(({ name }) => name.endsWith('.json'))
        .map(({ name }) => name.slice(0, -'.json'.length))
        .toSorted((one, other) => Number(one) - Number(other) || (one < other ? -1 : 1))
        .flatMap((id) => get(id) ?? []),
  };
}

/** An id is text from outside: it never leads out of its folder. */
function fileOf(folder: string, id: string): string {
  return path.join(folder, `${path.basename(id)}.json`);
}
