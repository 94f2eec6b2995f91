import { isEnded, ITERATIONS_MAX_CEILING } from '../core/loop.ts';
import type { Limit, LoopId } from '../core/loop.ts';
import type { Loop } from '../core/journal.ts';
import { renderTracker, trackerFile } from './athena/read.ts';
import { setFields } from './front-matter.ts';
import { STATE_FILE } from './loop-mechanics/state.ts';
import type { DialectName, PRD } from './names.ts';
import { newPrd } from './prd.ts';
import { newRalphLoopFile, RALPH_LOOP_FILE } from './ralph-loop/read.ts';
import { newWiggumFile, WIGGUM_STATE_FOLDER } from './ralph-wiggum/read.ts';
import { CONTINUATION_LOOP_FILE } from './stravinsky/read.ts';
import { SUPERCODE_FILE } from './supercode/read.ts';

/** A loop as the state file of another tool, for people who move there. What that tool has no word for is left out. */
export function newFileText(name: DialectName | typeof PRD, loop: Loop): string {
  const { spec, state } = loop;
  const active = !isEnded(state);
  const turnsMax = countOf(state.limits.iterationsMax);
  switch (name) {
    case 'athena':
      return renderTracker(
        {
          active,
          iteration: state.counted,
          // It compares before it adds, from 0: one turn more than its maximum.
          maxIterations: Math.max(0, turnsMax - 1),
          completionMarker: spec.claim.texts[0] ?? 'DONE',
          body: `# Loop Progress\n\n${spec.goal.trim()}\n`,
        },
        state.startedAt,
      );
    case 'stravinsky':
      return [
        '---',
        // From 1, and one is added before it is compared.
        `iteration_count: ${state.counted + 1}`,
        `max_iterations: ${turnsMax + 1}`,
        `completion_promise: ${JSON.stringify(spec.claim.texts.join('|'))}`,
        `active: ${active}`,
        '---',
        spec.goal.trim(),
        '',
      ].join('\n');
    case 'supercode':
      return json({
        active,
        iteration: state.counted + 1,
        maxIterations: turnsMax,
        completionPromise: spec.claim.texts[0] ?? 'DONE',
        startedAt: state.startedAt,
        prompt: spec.goal,
        sessionId: state.session?.id ?? '',
      });
    case 'loop-mechanics':
      return loopMechanicsText(loop);
    case 'ralph-wiggum':
      return newWiggumFile(loop);
    case 'ralph-loop':
      return setFields(newRalphLoopFile(loop), { active });
    case 'prd':
      return newPrd({
        goal: spec.goal,
        criteria: spec.criteria,
        criteriaMet: state.criteriaMet,
        isDone: state.status === 'completed',
      });
  }
}

/** Where the file of a new loop stands, relative to the project: the place of the session it is for, where the document has one each. */
export function newFilePlace(name: DialectName, loop: LoopId, session: string | null): string {
  switch (name) {
    case 'athena':
      return trackerFile(session !== null && /^[\w-][\w.-]*$/u.test(session) ? session : loop);
    case 'loop-mechanics':
      return STATE_FILE;
    case 'supercode':
      return SUPERCODE_FILE;
    case 'stravinsky':
      return CONTINUATION_LOOP_FILE;
    case 'ralph-wiggum':
      return `${WIGGUM_STATE_FOLDER}/RALPH_${loop}.json`;
    case 'ralph-loop':
      return RALPH_LOOP_FILE;
  }
}

/** Without criteria the goal is the one criterion: the document ends no loop without. */
function loopMechanicsText({ spec, state }: Loop): string {
  const criteria = spec.criteria.length > 0 ? spec.criteria.map(({ text }) => text) : [spec.goal.trim()];
  const isMet = (text: string): boolean => state.status === 'completed' || state.criteriaMet.includes(text);
  return json({
    spec: spec.goal,
    criteria,
    criteriaStatus: Object.fromEntries(criteria.map((text) => [text, isMet(text)])),
    steps: criteria,
    completedSteps: criteria.filter(isMet),
    remainingSteps: criteria.filter((text) => !isMet(text)),
    iteration: state.counted + 1,
    maxIterations: countOf(state.limits.iterationsMax),
    status: state.status === 'completed' ? 'completed' : isEnded(state) ? state.status : 'in_progress',
    startedAt: state.startedAt,
  });
}

function countOf(limit: Limit): number {
  return limit === 'unlimited' ? ITERATIONS_MAX_CEILING : limit;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
