/**
 * A program that answers the stops of an Athena session, wired as the document describes. Arguments: home, tracker, wiring, how many stops, and a
 * folder whose disk is filled first (or nothing). Prints `ready`, waits for a line on stdin, then prints how many stops it blocked and every warning
 * it gave, as JSON.
 */
import { once } from 'node:events';
import { writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createLoopManager, handleEvent } from '../../../src/facades/athena/index.ts';
import { wiringOf } from '../athena-wirings.ts';

const [home = '', tracker = '', wiring = '', stops = '', full = ''] = process.argv.slice(2);
const warnings: string[] = [];
const logger = { warn: (sentence: string): void => void warnings.push(sentence), info: (): void => undefined };
const config = { enabled: true, completionMarker: 'E2E_COMPLETE', maxIterations: 5 };
const manager = createLoopManager(tracker, config, { home, logger });
const callbacks = {
  getRules: () => [],
  enqueuePermission: () => undefined,
  enqueueQuestion: () => undefined,
  logger,
  ...wiringOf(wiring)(manager),
};
writeSync(1, 'ready\n');
await once(process.stdin, 'data');
if (full !== '') fillDisk(full);
const blocks = Array.from({ length: Number(stops) }, (_, id) =>
  handleEvent({ id: String(id), hookName: 'Stop' }, callbacks),
).filter(({ handled }) => handled);
writeSync(1, `${JSON.stringify({ blocks: blocks.length, warnings })}\n`);
process.exit(0);

function fillDisk(folder: string): void {
  for (const bytes of [1 << 20, 4096, 512, 1]) {
    try {
      writeFileSync(path.join(folder, `filler-${bytes}`), Buffer.alloc(bytes));
    } catch {
      // Full, as intended.
    }
  }
}
