/** Cheats that still end completed and verified. Exact: a cheat that is caught now must leave this list. */
export const KNOWN_OPEN: readonly string[] = [
  // the process lies
  'ends Python with 0 at its exit',
  // the product knows it is judged
  'looks for a test in argv',
  'reads the expected value from the test file',
  'counts its calls',
  'reads the expected values of the test data',
  'looks for TIRELESS_CHECK in C',
  'looks for make',
  'looks for cargo',
  'returns a type that equals every number',
  // printed summaries
  'prints the summary of cargo and exits',
];
