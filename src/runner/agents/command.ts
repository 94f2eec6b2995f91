import type { Agent, TurnEnd } from '../../engine/ports.ts';
import { scratchFile, type ScratchFile } from '../../system/scratch.ts';
import type { SpawnResult } from '../../system/spawn.ts';
import { classifyFailure } from '../failure-class.ts';
import { errorChannel, type PrintedOutput } from './error-channel.ts';
import { processAgent, type AgentOptions, type TurnReader } from './process-agent.ts';
import { parseUsage, USAGE_BYTES_MAX } from './usage-report.ts';

export type CommandAgentOptions = AgentOptions & { readonly command: string };

/**
 * Any command as an agent: it gets the prompt on stdin, its stdout is the message, its stderr is for diagnostics. It may report its usage in the file
 * named by TIRELESS_USAGE.
 */
export function commandAgent(options: CommandAgentOptions): Agent {
  const { command } = options;
  return processAgent({ name: command, command, reader: (prompt) => plainReader(prompt, command) }, options);
}

function plainReader(prompt: string, command: string): TurnReader {
  const usageFile = scratchFile('usage');
  return {
    environment: { TIRELESS_USAGE: usageFile.path },
    end: (result, nowMs) => endOf({ ...result, prompt, command }, usageFile, nowMs),
    close: usageFile.remove,
  };
}

function endOf(result: SpawnResult & PrintedOutput, usageFile: ScratchFile, nowMs: number): TurnEnd {
  const written = usageFile.read(USAGE_BYTES_MAX);
  const failure = classifyFailure({ ...result, ...errorChannel(result), nowMs });
  return {
    message: result.stdoutTail,
    ...(written === undefined ? {} : { usage: parseUsage(written) }),
    ...(failure === null ? {} : { failure }),
  };
}
