import { describe } from 'vitest';
import { checklistHolds } from '../support/checklist.ts';

describe('the checklist of SuperCode', () => {
  checklistHolds('supercode');
});
