import { containment, type Cell } from '../../src/system/contain.ts';

/** For suites that must pass with and without a process namespace. `skips` is reported if this machine cannot create one. */
type CellCase = {
  readonly title: string;
  readonly contain: Cell | undefined;
  readonly skips: string | null;
};

export const NO_NAMESPACE: string | null =
  containment().by === null ? 'neither unshare nor bwrap can make a process namespace here' : null;

export const NO_WALLS: string | null = containment().canWall
  ? null
  : 'bwrap is missing, or cannot be used here: apt-get install bubblewrap';

export const CELLS: readonly CellCase[] = [
  { title: 'without a namespace', contain: undefined, skips: null },
  { title: 'in a process namespace', contain: {}, skips: NO_NAMESPACE },
];

export function isContained(cell: Cell | undefined): boolean {
  return cell !== undefined;
}
