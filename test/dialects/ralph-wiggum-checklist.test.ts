import { checklistHolds } from '../support/checklist.ts';

checklistHolds('ralph-wiggum');
checklistHolds('ralph-loop');
