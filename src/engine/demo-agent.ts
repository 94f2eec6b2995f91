/** The agent of the demo is a file of the demo's project; hidden, so that the code base looks like one. */
export const DEMO_AGENT_SCRIPT = '.demo/agent.mjs';
