/**
 * One session's stop hook, over and over: posts stops through the real pipeline and prints the result of each.
 * Arguments: home, loop, a name for the marks, how many (or `forever`), and a file whose appearance ends it.
 * Prints `try MARK` before each, then `ack MARK DECISION ITERATION`, or `end REASON` when it is done.
 */
import { existsSync, writeSync } from 'node:fs';
import { openFileStore } from '../../../src/stores/file-store.ts';
import { aStop, post } from '../drafts.ts';

const [home = '', loop = '', name = '', count = '', stopFile = ''] = process.argv.slice(2);
const store = openFileStore({ home });
const most = count === 'forever' ? Number.POSITIVE_INFINITY : Number(count);

for (let turn = 0; turn < most && !existsSync(stopFile); turn += 1) {
  const mark = `${name}.${turn}`;
  say(`try ${mark}`);
  const { decision } = post(store, loop, aStop(mark));
  if (decision.kind === 'abstain') {
    say(`end ${decision.because}`);
    break;
  }
  say(`ack ${mark} ${decision.kind} ${decision.kind === 'continue' ? decision.iteration : 0}`);
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
