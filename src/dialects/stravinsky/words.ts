import { promptOf } from '../../core/prompt.ts';
import type { Answer, Words } from '../dialect.ts';

export const CONTINUATION_PROMPT: string = [
  '[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE]',
  'This is an automated continuation loop. Review your progress:',
  '- Check what has been completed',
  '- Continue working towards the goal',
  '- If complete, explicitly state the completion promise',
  '- If blocked, explain the issue',
].join('\n');

export function wordsFor({ decision, loop }: Answer): Words {
  const goesOn = decision.kind === 'continue' && loop !== null;
  return { goesOn, text: goesOn ? promptOf(loop.spec, loop.state) : '', reason: decision.kind };
}
