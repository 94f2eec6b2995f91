import { checklistHolds } from '../support/checklist.ts';

checklistHolds('docs/dialects/athena.md');
