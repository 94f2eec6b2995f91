import { describe } from 'vitest';
import { checklistHolds } from '../support/checklist.ts';

describe('the checklist of Loop mechanics', () => {
  checklistHolds('loop-mechanics');
});
