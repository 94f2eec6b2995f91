import { fieldsOf } from '../fields.ts';
import type { TranscriptFormat } from '../transcript.ts';
import { factOfUserLine, isToolResult, NOISE, factOfAgentLine } from '../transcript.ts';

/** One type for all messages, with the speaker in the message. Lines from hooks have a `visibility`. */
export const TRANSCRIPT: TranscriptFormat = {
  speakers: ['"assistant"', '"user"'],
  speech: ['"role":"assistant"'],
  results: ['"tool_result"'],
  factOf: (record) => {
    const message = record['type'] === 'message' ? fieldsOf(record['message']) : undefined;
    switch (message?.['role']) {
      case 'assistant':
        return factOfAgentLine(message);
      case 'user':
        return factOfUserLine(message, isToolResult, typeof message['visibility'] === 'string');
      default:
        return NOISE;
    }
  },
};
