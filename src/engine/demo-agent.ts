/** The agent of the demo is a file in the demo's project; hidden, so that the project looks like real code. */
export const DEMO_AGENT_SCRIPT = '.demo/agent.mjs';
