import { checklistHolds } from '../support/checklist.ts';

checklistHolds('athena');
