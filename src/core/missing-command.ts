/** Printed before the line that matters. */
const PREAMBLE = /^(?:npm warn\b|yarn run v|\$ |> )/u;

/** How tools report that the command, script or target they were asked for does not exist. */
const MISSING: readonly RegExp[] = [
  /^npm (?:error|ERR!) Missing script: /u,
  /^Unknown command: "/u,
  /^\s*ERR_PNPM_NO_SCRIPT\b/u,
  /^error Command "[^"]*" not found\.$/u,
  /^Usage Error: Couldn't find a script named /u,
  /^error: Script not found "/u,
  // A missing prerequisite of a target is the agent's job.
  /^(?:g?make|mingw32-make): \*\*\* No rule to make target ['`][^']*'\. {1,2}Stop\.$/u,
  /^error: no such command: `/u,
  /^go \S+: unknown command$/u,
  /^\S*python[\d.]*: No module named \S+$/u,
];

/**
 * The line of a failed command's output that reports a missing command; `undefined` = the command exists, whatever it did. Only the first
 * line counts: anything below may come from a program that did run.
 */
export function missingCommandLine(output: string): string | undefined {
  const first = output
    .slice(0, 4000)
    .split('\n')
    .map((line) => line.trimEnd())
    .find((line) => line !== '' && !PREAMBLE.test(line));
  return first !== undefined && MISSING.some((pattern) => pattern.test(first)) ? first : undefined;
}
