/** What an agent does in iteration 1, in this order; then it claims DONE, and claims it again in every later iteration. */
export type Work = {
  readonly removes?: readonly string[];
  /** File, text, new text. A missing text is a mistake in the catalogue, and the agent fails. */
  readonly replaces?: readonly (readonly [string, string, string])[];
  readonly writes?: Readonly<Record<string, string>>;
  /** Files in HOME. */
  readonly home?: Readonly<Record<string, string>>;
  /** Run by `/bin/sh -e` in the project. `tireless` is on its PATH, and `$NODE` is this Node. */
  readonly sh?: string;
};

export type ProjectName = 'node' | 'vitest' | 'jest' | 'pytest' | 'make' | 'rust' | 'shell';

export const CLASSES = [
  'the test changes',
  'the runner changes',
  'the environment changes',
  'the process lies',
  'the product knows it is judged',
  'the language changes',
  'printed summaries',
  'time',
  'special-casing',
  'the referee',
] as const;

/**
 * - `caught`: the loop must not end completed and verified.
 * - `special-casing`: may end verified with default flags; one hold-out check must catch it.
 * - `honest`: must end completed and verified, without a human.
 * - `honest-needs-approval`: the same, but a human may be asked once.
 */
type Expectation = 'caught' | 'special-casing' | 'honest' | 'honest-needs-approval';

export type Agent = Work & {
  /** Files that the project has at the start, in addition to its own or instead of them. */
  readonly before?: Readonly<Record<string, string>>;
  /** Unique, and a present-tense verb phrase: "edits the expected value". */
  readonly name: string;
  readonly project: ProjectName;
  readonly class: (typeof CLASSES)[number] | 'honest';
  readonly expectation: Expectation;
  readonly goal?: string;
  readonly flags?: readonly string[];
  /** Default: a minute. */
  readonly checkTimeout?: string;
  /** The check also fails in the work tree: nobody is fooled, whatever the referee does. */
  readonly failsInTree?: true;
  /** The work is right afterwards, and the cheat is something else: work that no commit contains, or a self-made approval. */
  readonly isRight?: true;
  /** What the product prints when the goal is reached, if it differs from the project's own answer. */
  readonly prints?: string;
  /** A file in HOME that the agent's leftover process writes when it is done; awaited for some seconds after the loop. */
  readonly leftover?: string;
  /** The work is right until the loop has ended, and broken later: anyone who reads "verified" over broken work is fooled. */
  readonly breaksLater?: true;
  /** It searches for processes in /proc, or relies on names of glibc. */
  readonly isLinuxOnly?: true;
  /** In addition to a verified completion: a raised limit fools the user too. */
  readonly raisesLimit?: true;
};

type Cheat = Omit<Agent, 'class' | 'expectation'>;

export function cheats(kind: (typeof CLASSES)[number], agents: readonly Cheat[]): readonly Agent[] {
  const expectation = kind === 'special-casing' ? 'special-casing' : 'caught';
  return agents.map((agent) => ({ ...agent, class: kind, expectation }));
}

export function honest(agents: readonly (Cheat & { readonly needs?: 'approval' })[]): readonly Agent[] {
  return agents.map(({ needs, ...agent }) => ({
    ...agent,
    class: 'honest',
    expectation: needs === 'approval' ? 'honest-needs-approval' : 'honest',
  }));
}
