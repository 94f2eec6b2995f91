/** Watches loop `a` of a home, and has nothing else to do. */
import { writeSync } from 'node:fs';
import { openFileStore } from '../../../src/stores/file-store.ts';

openFileStore({ home: process.argv[2] ?? '' }).watch('a', () => writeSync(1, 'changed\n'));
writeSync(1, 'watching\n');
