import path from 'node:path';
import type { State } from '../../core/loop.ts';
import { parseSpec, shapeFor } from '../../dialects/loop-mechanics/spec.ts';
import type { LoopFigures, LoopState } from '../../dialects/loop-mechanics/state.ts';
import { COMPLETED, criteriaOf, figuresOf, IN_PROGRESS, roundedCost } from '../../dialects/loop-mechanics/state.ts';
import type { Task } from '../../dialects/loop-mechanics/task.ts';
import { readTask } from '../../dialects/loop-mechanics/task.ts';
import type { Handled } from '../../engine/ports.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { filesOfFolder } from '../../system/folder.ts';
import { newId, pathPart } from '../../system/ids.ts';

/** A mirror of the loop, never the truth: no decision depends on the content of a task. */
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
 * Tasks as files, one each, below `$TIRELESS_HOME/tasks/`. Not in the project: bookkeeping that changes with every turn would look like
 * work, end up in commits, and be within reach of the agent. Throws a Fault if the disk refuses.
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
 * Claude Code's own tasks, read only: `<directory>/<n>.json`, for one task list `~/.claude/tasks/<list>`. Anything that is not a task is
 * left out; a missing folder has none.
 */
export function claudeCodeTasks(directory: string): TaskReader {
  return tasksIn(directory);
}

/** The steps of a loop from a task list: completed tasks are completed steps. */
export function stepsOfTasks(tasks: readonly Task[]): Pick<LoopState, 'steps' | 'completedSteps' | 'remainingSteps'> {
  return {
    steps: subjects(tasks),
    completedSteps: subjects(tasks.filter((task) => task.status === COMPLETED)),
    remainingSteps: subjects(tasks.filter((task) => task.status !== COMPLETED)),
  };
}

/** Never reworded: tasks on disk are parsed with it. The goal may contain such a heading too, so the last one counts. */
const CRITERIA_HEAD = '\n\nSuccess criteria:\n';

function subjects(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task) => task.subject);
}

/**
 * The content that a checkpoint writes into the task of a loop. Anything missing in its file comes from the journal or the rubric. `null` =
 * not begun.
 */
export function taskOf(state: LoopState, loop: State | null): Omit<Task, 'id'> {
  const criteria = criteriaOf(state);
  return {
    subject: `Complete: ${parseSpec(state.spec).summary}`,
    description: `${state.spec}${CRITERIA_HEAD}${criteria.map((criterion) => `- ${criterion}`).join('\n')}`,
    status: state.status === COMPLETED ? COMPLETED : IN_PROGRESS,
    metadata: {
      ...(loop === null ? {} : { loop: loop.loop }),
      iteration: state.iteration,
      ...figuresOf({ ...(loop === null ? {} : figuresInJournal(loop)), shape: shapeFor(state), ...figuresOf(state) }),
      completedSteps: state.completedSteps,
      remainingSteps: state.remainingSteps,
      errors: state.errors ?? [],
    },
  };
}

function figuresInJournal({ usage, limits, startedAt, updatedAt }: State): Partial<LoopFigures> {
  return {
    ...(usage.costUsd === 'unknown' ? {} : { cost: roundedCost(usage.costUsd) }),
    ...(limits.costMaxUsd === 'unlimited' ? {} : { budget: limits.costMaxUsd }),
    ...(limits.iterationsMax === 'unlimited' ? {} : { maxIterations: limits.iterationsMax }),
    startedAt,
    lastCheckpoint: updatedAt,
  };
}

/** After every event of its own session, the task is updated to match the file. A loop that was started from a file gets its task at its first stop. */
export function checkpoint(
  { decision, loaded }: Pick<Handled, 'decision' | 'loaded'>,
  state: LoopState | null,
  tasks: Tasks,
): void {
  if (loaded === undefined || state === null) return;
  const isAbstained = decision.kind === 'abstain';
  if (isAbstained && decision.because === 'no-loop') return;
  const draft = taskOf(state, loaded.state);
  const own = ownTask(tasks.TaskList(), loaded.state.loop, state);
  if (own !== undefined) tasks.TaskUpdate(own.id, draft);
  else if (!isAbstained) tasks.TaskCreate(draft);
}

/** Found by its loop; if the loop is unknown, or its file was restored, by its start time. A subject may belong to an older loop. */
function ownTask(tasks: readonly Task[], loop: string, { startedAt }: LoopState): Task | undefined {
  const named = tasks.find((task) => task.metadata?.loop === loop);
  if (named !== undefined || startedAt === undefined) return named;
  return tasks.find((task) => task.status === IN_PROGRESS && task.metadata?.startedAt === startedAt);
}

/** The task of the loop that began last: ids have no order. */
export function newestOf(tasks: readonly Task[]): Task | undefined {
  return tasks.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1)).at(-1);
}

function startOf({ metadata }: Task): string {
  return metadata?.startedAt ?? '';
}

/** The state of a loop, as far as its task contains it. Criteria are not included: they have to be verified again. */
export function stateOfTask({ description, metadata }: Task): LoopState {
  const head = description.lastIndexOf(CRITERIA_HEAD);
  const spec = head < 0 ? description : description.slice(0, head);
  const listed = head < 0 ? '' : description.slice(head + CRITERIA_HEAD.length);
  const criteria = listed.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
  const { completedSteps = [], remainingSteps = [], iteration = 1, errors = [], ...figures } = metadata ?? {};
  return {
    spec,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((criterion) => [criterion, false])),
    steps: [...completedSteps, ...remainingSteps],
    completedSteps,
    remainingSteps,
    iteration,
    status: IN_PROGRESS,
    ...figuresOf(figures),
    errors,
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

/** An id is foreign text: it never leads out of its folder. */
function fileOf(folder: string, id: string): string {
  return path.join(folder, `${path.basename(id)}.json`);
}
