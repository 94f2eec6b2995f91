import type { TranscriptFormat } from '../transcript.ts';
import { factOfUserLine, NOISE, factOfAgentLine } from '../transcript.ts';

/** The message itself, repeated with every change: its last state is complete. */
export const TRANSCRIPT: TranscriptFormat = {
  speakers: ['"gemini"', '"user"'],
  speech: ['"type":"gemini"'],
  results: ['"functionResponse"'],
  factOf: (record) => {
    switch (record['type']) {
      case 'gemini':
        return { ...factOfAgentLine(record), whole: true };
      case 'user':
        return factOfUserLine(record, (block) => Object.hasOwn(block, 'functionResponse'), false);
      default:
        return NOISE;
    }
  },
};
