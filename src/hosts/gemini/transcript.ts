import type { TranscriptFormat } from '../transcript.ts';
import { factOfUserLine, NOISE, factOfAgentLine } from '../transcript.ts';

/** The message itself, again with every change: the last state of it is whole. */
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
