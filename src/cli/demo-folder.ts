import path from 'node:path';
import { onInterrupt } from '../system/signals.ts';
import { removeDeadDirectories, removeTemporaryDirectory, temporaryDirectory } from '../system/project.ts';
import { EXIT } from './exit-codes.ts';

export type DemoFolder = {
  readonly project: string;
  /** Its own home, so that a demo never appears in anyone's history. */
  readonly home: string;
  /** From now on the driver handles interrupts. */
  readonly leaveInterrupts: () => void;
};

/**
 * A folder for one demo, removed however the program ends. After `kill -9` it is left behind, and the next demo removes it. `keep`: it
 * stays, and the caller reports where it is.
 */
export async function withDemoFolder<T>(keep: boolean, work: (folder: DemoFolder) => Promise<T>): Promise<T> {
  removeDeadDirectories('demo');
  const folder = temporaryDirectory(`demo-${process.pid}`);
  const remove = (): void => (keep ? undefined : removeTemporaryDirectory(folder));
  const leaveInterrupts = onInterrupt(() => process.exit(EXIT.interrupted));
  process.once('exit', remove);
  try {
    return await work({
      project: path.join(folder, 'corner-shop'),
      home: path.join(folder, 'home'),
      leaveInterrupts,
    });
  } finally {
    leaveInterrupts();
    process.off('exit', remove);
    remove();
  }
}
