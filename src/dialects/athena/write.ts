import type { Loop } from '../../core/journal.ts';
import type { Limits } from '../../core/loop.ts';
import { isEnded } from '../../core/loop.ts';
import { counterFor, maximumFor, numberOfLimit } from '../counting.ts';
import { setFields } from '../front-matter.ts';
import { startTimeOf } from '../start-time.ts';
import { descriptor } from './descriptor.ts';
import type { Tracker } from './read.ts';
import { readTracker } from './read.ts';

/** Never lowers a counter that someone has raised by hand in the meantime. */
export function project(text: string | null, { state }: Loop): string | null {
  if (text === null) return null;
  const tracker = readTracker(text, { completionMarker: '-' });
  // A file that was broken by hand belongs to the user: it is not changed.
  if ('why' in tracker) return text;
  const live = state.status === 'pending' || state.status === 'running' || state.status === 'paused';
  // The document counts blocks, and the stop that ended or paused the loop was not blocked.
  const unblocked = state.status === 'completed' || state.status === 'halted' || state.status === 'paused' ? 1 : 0;
  const iteration = Math.max(tracker.iteration, counterFor(state.counted - unblocked, descriptor.counting));
  return setFields(text, {
    ...(iteration === tracker.iteration ? {} : { iteration }),
    ...(tracker.active === live ? {} : { active: live }),
  });
}

/** The projection switches it on. */
export function resumed(text: string, { iterationsMax }: Partial<Limits>): string {
  if (iterationsMax === undefined || 'why' in readTracker(text, { completionMarker: '-' })) return text;
  return setFields(text, { max_iterations: maximumFor(numberOfLimit(iterationsMax), descriptor.counting) });
}

type WorkflowValues = Pick<Tracker, 'maxIterations' | 'completionMarker'>;

/** The fields whose values differ from the workflow's: someone has edited one of the two. */
export function differsFromWorkflow(text: string, workflow: WorkflowValues): readonly (keyof WorkflowValues)[] {
  const tracker = readTracker(text, workflow);
  if ('why' in tracker) return [];
  return (['maxIterations', 'completionMarker'] as const).filter((key) => workflow[key] !== tracker[key]);
}

export function newText(loop: Loop): string {
  const { spec, state } = loop;
  return renderTracker(
    {
      active: !isEnded(state),
      iteration: counterFor(state.counted, descriptor.counting),
      maxIterations: maximumFor(numberOfLimit(state.limits.iterationsMax), descriptor.counting),
      completionMarker: spec.claim.texts[0] ?? 'DONE',
      body: bodyFor(spec.goal),
    },
    startTimeOf(loop),
  );
}

/** People recognise a tracker by its heading, also in `tireless status`. */
function bodyFor(goal: string): string {
  const [first = '', ...rest] = goal.trim().split('\n');
  const notes = rest.join('\n').trim();
  return `# ${first.replace(/^#+\s*/u, '').trim() || 'Loop Progress'}\n\n${notes === '' ? '_In progress_' : notes}\n`;
}

/** A new tracker: the document's five keys, then the given body verbatim. */
export function renderTracker(tracker: Tracker, startedAt: string): string {
  return [
    '---',
    `iteration: ${tracker.iteration}`,
    `max_iterations: ${tracker.maxIterations}`,
    // Every JSON string is a valid YAML string.
    `completion_marker: ${JSON.stringify(tracker.completionMarker)}`,
    `active: ${tracker.active}`,
    `started_at: ${JSON.stringify(startedAt)}`,
    '---',
    tracker.body,
  ].join('\n');
}
