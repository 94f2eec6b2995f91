/** `node make-folders.mjs FOLDER COUNT START_MS`: creates the same nested folders as its siblings, at the same instant. */
import path from 'node:path';
import { makeDirs } from '../../../src/system/files.ts';

const [folder = '', count = '0', startMs = '0'] = process.argv.slice(2);
while (Date.now() < Number(startMs));
for (let at = 0; at < Number(count); at++) makeDirs(path.join(folder, String(at), 'a', 'b', 'c'));
