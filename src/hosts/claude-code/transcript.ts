import { fieldsOf } from '../fields.ts';
import type { TranscriptFormat } from '../transcript.ts';
import { factOfUserLine, isToolResult, NOISE, factOfAgentLine } from '../transcript.ts';

/** One line per block of a message, with the message inside and the speaker around it. */
export const TRANSCRIPT: TranscriptFormat = {
  speakers: ['"assistant"', '"user"'],
  speech: ['"type":"assistant"', '"type": "assistant"'],
  results: ['"tool_result"'],
  factOf: (record) => {
    // Subagents, and errors of the service, which the client shows as if the agent had written them.
    if (record['isSidechain'] === true || record['isApiErrorMessage'] === true) return NOISE;
    const message = fieldsOf(record['message']) ?? record;
    switch (record['type']) {
      case 'assistant':
        return factOfAgentLine(message);
      case 'user':
        return factOfUserLine(message, isToolResult, record['isMeta'] === true);
      default:
        return NOISE;
    }
  },
};
