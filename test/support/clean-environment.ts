/** Variables that lead tireless, hosts and programs to the files and the session of whoever runs the tests, perhaps inside a loop. */
const OF_WHO_RUNS =
  /^(?:(?:TIRELESS|CLAUDE|CODEX|COPILOT|FACTORY|GEMINI|OPENCODE|PI|QWEN|XDG)_|(?:HOME|CLAUDECODE|NODE_OPTIONS)$)/u;

/** The environment that a test's program starts with: none of those, and a HOME of its own. */
export function cleanEnvironment(home: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || OF_WHO_RUNS.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), HOME: home };
}
