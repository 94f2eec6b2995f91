/**
 * Runs a loop's whole life step by step, and dies of SIGKILL when it passes one crash point for the nth time.
 * Arguments: home, crash point (or `none`), which passing (from 1), the step to begin with.
 * Prints `ack STEP REVISION` after each step that returned, and `passed POINT` at each crash point that it survived.
 */
import { writeSync } from 'node:fs';
import type { Event } from '../../../src/core/event.ts';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { aSessionSpec, aStartDraft, aStop, post } from '../drafts.ts';

const LOOP = 'a';
const BIG = 'Large enough for a file of its own. '.repeat(300);
const [home = '', point = '', passing = '', from = ''] = process.argv.slice(2);

let passed = 0;
const store = openFileStore({
  home,
  crashPoint: (name) => {
    if (name === point) passed += 1;
    if (name === point && passed === Number(passing)) process.kill(process.pid, 'SIGKILL');
    say(`passed ${name}`);
  },
});

const STEPS: readonly (Event | 'start')[] = [
  'start',
  { kind: 'baseline-taken' },
  aStop('one'),
  { kind: 'steering-given', text: BIG.toUpperCase() },
  aStop('two'),
  { kind: 'pause-requested' },
  { kind: 'resume-requested' },
  aStop('three'),
  { kind: 'cancel-requested' },
];

for (const [index, step] of STEPS.entries()) {
  if (index < Number(from)) continue;
  if (step === 'start') store.create(LOOP, aStartDraft(LOOP, aSessionSpec({ goal: BIG })));
  else if (!isSaidAlready(step)) post(store, LOOP, step);
  say(`ack ${index} ${store.load(LOOP)?.head.revision}`);
}

/** After a crash it is unknown whether the event arrived, so look before posting it again: a stop that is posted late is another stop. */
function isSaidAlready(step: Event): boolean {
  const state = store.load(LOOP)?.state;
  if (step.kind === 'steering-given')
    return [...(state?.steeringSent ?? []), ...(state?.steering ?? [])].includes(step.text);
  return step.kind === 'turn-ended' && state?.lastTurn?.messageHash === step.mark?.messageHash;
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
