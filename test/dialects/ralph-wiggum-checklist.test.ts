import { checklistHolds } from '../support/checklist.ts';

checklistHolds('docs/dialects/ralph-wiggum.md');
checklistHolds('docs/dialects/ralph-loop.md');
