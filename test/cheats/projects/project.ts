import type { Work } from '../catalogue/case.ts';

/** A project of a few lines with one bug: `total` forgets the quantities. Its check is red until that is fixed. */
export type Project = {
  readonly files: Readonly<Record<string, string>>;
  readonly check: string;
  readonly fix: Work;
  /** Queries the product itself, with values that no test has. The last line it prints must be `prints`. */
  readonly truth: { readonly command: string; readonly prints: string };
  /** Puts dependencies into the folder, before the first commit. */
  readonly prepare?: (folder: string) => void;
};
