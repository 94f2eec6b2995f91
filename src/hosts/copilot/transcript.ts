import { fieldsOf } from '../fields.ts';
import type { TranscriptFormat } from '../transcript.ts';
import { NOISE } from '../transcript.ts';

/** One event per line, with its content under `data`. An answer of the model may be several messages. */
export const TRANSCRIPT: TranscriptFormat = {
  speakers: ['"assistant.message"', '"user.message"'],
  speech: ['"type":"assistant.message"'],
  results: [],
  factOf: (record) => {
    const { type, agentId } = record;
    const { content, apiCallId } = fieldsOf(record['data']) ?? {};
    // Events of subagents name their agent.
    if (typeof agentId === 'string') return NOISE;
    if (type === 'user.message') return { kind: 'prompt' };
    if (type !== 'assistant.message' || typeof content !== 'string') return NOISE;
    return { kind: 'said', id: typeof apiCallId === 'string' ? apiCallId : null, text: content };
  },
};
