import type { Dialect } from '../dialect.ts';
import { descriptor, STATE_FILE } from './descriptor.ts';
import { failureClassOf } from './errors.ts';
import { read } from './read.ts';
import { parseSpec, scoreOf } from './spec.ts';
import { wordsFor } from './words.ts';
import { newText, project, resumed } from './write.ts';

/** `.loop/state.json`: criteria, steps and a counter that the agent also updates. */
export const loopMechanics: Dialect = {
  name: descriptor.name,
  read,
  project,
  resumed,
  failureClassOf,
  filesFor: () => [STATE_FILE],
  wordsFor,
  replyForm: descriptor.replyForm,
  newText,
  criteriaFor: (goal) => parseSpec(goal).criteria,
  scoreFor: ({ goal, criteria }) =>
    scoreOf(
      goal,
      criteria.map(({ text }) => text),
    ),
};
