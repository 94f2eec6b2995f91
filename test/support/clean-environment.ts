/** Variables by which tireless, hosts and programs find the files and the session of whoever runs the tests, maybe inside a loop. */
const OF_WHO_RUNS =
  /^(?:(?:TIRELESS|CLAUDE|CODEX|COPILOT|FACTORY|GEMINI|OPENCODE|PI|QWEN|XDG)_|(?:HOME|CLAUDECODE|NODE_OPTIONS)$)/u;

/** What a program of a test starts with: nothing of that, and a HOME of its own. */
export function cleanEnvironment(home: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || OF_WHO_RUNS.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), HOME: home };
}
