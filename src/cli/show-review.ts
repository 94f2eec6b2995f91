import type { RoomFacts } from '../core/room.ts';
import { chooseLoop } from '../engine/choose-loop.ts';
import type { Loaded } from '../engine/ports.ts';
import { diffLines } from '../terminal/diff-lines.ts';
import type { Line } from '../terminal/narrate.ts';
import { painter, wantsColours } from '../terminal/style.ts';
import { reviewTexts } from '../views/review.ts';
import { printable } from '../views/printable.ts';
import { rowsFor } from './io.ts';
import { isInProjectOf } from '../system/project.ts';
import type { World } from './services.ts';

/** Shows a person what to review: the judge's files that the agent changed, and the signs. `false` = this loop asks for no such review. */
export async function showReview(world: World, given: string | undefined): Promise<boolean> {
  const store = await world.services.store();
  const choice = chooseLoop(store, { given, isHere: isInProjectOf(world.cwd), fits: asksPerson });
  if (choice.kind !== 'chosen') return false;
  const { loaded } = choice;
  const { pause, loop } = loaded.state;
  if (pause?.cause !== 'review' || pause.work === undefined) return false;
  const seen = store.entries(loop).findLast(({ evidence }) => evidence.room?.kind === 'judged')?.evidence.room;
  const diff = await (await world.services.rooms()).diff(loaded);
  const { before, after } = reviewTexts({ loop, asked: pause.work, diff, ...factsOf(seen) });
  // Only sentences are wrapped between words: a diff is shown exactly as it is.
  const sentence = (tone: Line['tone'], text: string): Line => ({ tone, text: rowsFor(world.stdout, text).trimEnd() });
  write(world, [
    ...before.map((text) => sentence('plain', text)),
    ...(diff === null || diff.text === '' ? [] : diffLines(diff.text)),
    ...after.map((text) => sentence('doubtful', text)),
  ]);
  return true;
}

function asksPerson({ state }: Loaded): boolean {
  return state.pause?.request !== undefined;
}

function factsOf(room: RoomFacts | undefined): Pick<RoomFacts & { kind: 'judged' }, 'changes' | 'signs'> {
  return room?.kind === 'judged' ? room : { changes: [], signs: [] };
}

function write({ stdout, env }: World, lines: readonly Line[]): void {
  const paint = painter(stdout.isTTY && wantsColours(env));
  stdout.write(lines.map(({ tone, text }) => `${paint(tone, printable(text))}\n`).join(''));
}
