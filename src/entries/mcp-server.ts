import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AgentTool } from '../cli/agent-tools.ts';
import { killEverythingNow } from '../system/kill.ts';
import { processTable } from '../system/process-table.ts';
import { lineTransport } from './mcp-lines.ts';

// oxlint-disable-next-line no-underscore-dangle -- Two underscores mean that no module defines it.
declare const __TIRELESS_VERSION__: string;

const INSTRUCTIONS =
  'You are working in a loop of tireless: it ends when its checks pass, also in a clean copy of your work, not when you say so. Ask for the goal, note progress, and call verify before you end your turn.';

/** The official SDK on the streams of this process, until its client closes them. Only `tireless mcp` loads it. */
export async function serveMcp(tools: readonly AgentTool[]): Promise<void> {
  const server = new Server(
    { name: 'tireless', version: __TIRELESS_VERSION__ },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  }));
  let calls = 0;
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    calls += 1;
    try {
      const answer = await (tool?.call(params.arguments ?? {}) ?? {
        text: `There is no tool "${params.name}".`,
        isError: true,
      });
      return { content: [{ type: 'text', text: answer.text }], isError: answer.isError };
    } finally {
      calls -= 1;
    }
  });
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await server.connect(lineTransport(process.stdin, process.stdout));
  await closed;
  await server.close();
  if (calls > 0) leave();
}

/** Nobody waits for the result of a check that is still running. */
function leave(): never {
  const children = processTable()
    .list()
    .filter(({ ppid }) => ppid === process.pid);
  killEverythingNow({ pids: children.map(({ pid }) => pid), environment: [] });
  process.exit(0);
}
