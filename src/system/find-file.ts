import { readdirSync } from 'node:fs';
import path from 'node:path';
import { askOrNone } from './errno.ts';

/** The newest by name of the files below a folder whose name ends so; bounded in depth. What cannot be read is passed over. */
export function findFile(folder: string, ending: string, depth: number): string | null {
  const entries = askOrNone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    const full = path.join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith(ending)) return full;
    const inner = entry.isDirectory() && depth > 0 ? findFile(full, ending, depth - 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}
