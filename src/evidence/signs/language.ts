import type { SignCode } from '../../core/room.ts';
import type { Line, Syntax } from './scan-source.ts';
import type { Source } from './source.ts';

/**
 * The contract of a language's table. Patterns have the flag `g`, are tried on the code of one line and must begin outside a string. They
 * repeat nothing without a bound, except classes that cannot overlap with what follows, because the text comes from the agent.
 */
export type Language = {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly syntax: Syntax;
  readonly rules: readonly Rule[];
  readonly tests: TestWords;
};

/** What a line of product code must not do. */
export type Rule = {
  readonly code: SignCode;
  readonly matches: RegExp | ((line: Line, source: Source) => boolean);
  /** Each example is the files of a whole project; at least one of each kind. A path is given only if the default, in `src`, does not fit. */
  readonly cheats: readonly Example[];
  readonly honest: readonly Example[];
};

export type Example = string | { readonly path: string; readonly text: string };

/** What tests look like. Patterns with the flag `g`; a captured group is the name of the test. */
export type TestWords = {
  readonly declares: RegExp;
  /** One such line declares several tests. */
  readonly parametrizes?: RegExp;
  readonly skips: RegExp;
  /** All other tests are skipped. */
  readonly singles?: RegExp;
  readonly asserts: RegExp;
  readonly tautologies: RegExp;
};
