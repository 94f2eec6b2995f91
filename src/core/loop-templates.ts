import { fillTemplate } from './template.ts';

/** A common kind of loop: a goal with a placeholder for the user's input, a claim, and a suitable maximum. */
export type LoopTemplate = {
  readonly name: string;
  readonly title: string;
  /** `{{INPUT}}` is what the user typed. */
  readonly goal: string;
  /** Long enough that no agent writes it by accident. */
  readonly claim: string;
  readonly iterationsMax: number;
};

export const LOOP_TEMPLATES: readonly LoopTemplate[] = [
  {
    name: 'fix-tests',
    title: 'Run the tests until they pass',
    goal: 'Fix the failing tests: {{INPUT}}\n- Run the tests\n- Analyze the failures\n- Fix the causes, not the tests\n- Repeat until all tests pass',
    claim: 'All tests passing',
    iterationsMax: 15,
  },
  {
    name: 'feature',
    title: 'Implement a feature, step by step',
    goal: 'Implement: {{INPUT}}\n- Split it into steps, and note which are done\n- Implement one step at a time\n- Add tests for each\n- Update the documentation',
    claim: 'Feature complete and tested',
    iterationsMax: 20,
  },
  {
    name: 'debug',
    title: 'Find the cause of a hard bug and fix it',
    goal: 'Find and fix: {{INPUT}}\n- Reproduce it\n- Find the root cause, and write it down\n- Fix it\n- Show with a test that it stays fixed',
    claim: 'Root cause identified and fixed',
    iterationsMax: 12,
  },
  {
    name: 'simple',
    title: 'A small task',
    goal: '{{INPUT}}',
    claim: 'Goal achieved and checked',
    iterationsMax: 8,
  },
  {
    name: 'document',
    title: 'Document existing code',
    goal: 'Document: {{INPUT}}\n- Read the code, not only its comments\n- Write what a user needs to know\n- Run every example',
    claim: 'Documentation complete',
    iterationsMax: 10,
  },
];

export function loopTemplate(name: string): LoopTemplate | undefined {
  return LOOP_TEMPLATES.find((template) => template.name === name);
}

/** The template's goal with the user's input, verbatim. */
export function goalFrom(template: LoopTemplate, input: string): string {
  return fillTemplate(template.goal, { INPUT: input.trim() });
}
