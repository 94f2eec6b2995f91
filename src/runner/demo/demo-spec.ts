import { shellWord } from '../../core/shell-word.ts';
import { DEFAULT_LIMITS, type Spec } from '../../core/loop.ts';
import { DEMO_AGENT_SCRIPT } from '../../engine/demo-agent.ts';
import { newSpec } from '../../engine/new-spec.ts';

const ITERATIONS_MAX = 8;
const DURATION_MAX_MS = 5 * 60 * 1000;
const CHECK_TIMEOUT_MS = 60 * 1000;

/** The spec of the demo. `nodePath`: the Node that runs us; the agent and the tests need no other. */
export function demoSpec(nodePath: string, platform: NodeJS.Platform = process.platform): Spec {
  const command = `${quoted(nodePath, platform)} --test --test-reporter=spec`;
  return newSpec('Fix the corner shop: every test in test/ passes, and no test is changed.', 'outer', {
    claimRequired: true,
    checks: [{ name: 'tests', probe: { kind: 'command', command }, timeoutMs: CHECK_TIMEOUT_MS, holdout: false }],
    protect: ['test/**'],
    room: { keep: [], free: [] },
    limits: { ...DEFAULT_LIMITS, iterationsMax: ITERATIONS_MAX, durationMaxMs: DURATION_MAX_MS },
    agent: { kind: 'command', command: demoAgentCommand(nodePath, platform) },
  });
}

/** Run in the demo project. */
export function demoAgentCommand(nodePath: string, platform: NodeJS.Platform = process.platform): string {
  return `${quoted(nodePath, platform)} ${DEMO_AGENT_SCRIPT}`;
}

/** For the shell of the platform: a path with spaces, quotes or dollars stays one word. */
function quoted(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${path}"` : shellWord(path, 'always');
}
