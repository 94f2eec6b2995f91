import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const DIST = path.join(import.meta.dirname, '../../dist');

/** The built hook in a folder of its own: it keeps its compiled code there, and a test can remove or damage its files. */
export function aCopyOfTheHook(): string {
  const dist = mkdtempSync(path.join(tmpdir(), 'tireless-hook-'));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  for (const name of readdirSync(DIST).filter((file) => /^hook.*\.cjs$/u.test(file)))
    copyFileSync(path.join(DIST, name), path.join(dist, name));
  return dist;
}
