import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectSample } from './dialect-sample.ts';

/** One module per dialect, with the dialect and its recorded files: `export const dialect`, `export const samples`. */
export type DialectSamples = {
  readonly dialect: Dialect;
  readonly samples: readonly DialectSample[];
  /** Loops that no claim completes, so that most of the contract does not apply to them; they are damaged like the others. */
  readonly unclaimed?: readonly DialectSample[];
};

const FOLDER = path.join(import.meta.dirname, '..', 'contracts', 'dialect-samples');

export async function samplesOf(name: string): Promise<DialectSamples> {
  return (await import(path.join(FOLDER, `${name}.ts`))) as DialectSamples;
}

export async function allDialects(): Promise<readonly DialectSamples[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  return Promise.all(files.map((file) => samplesOf(path.basename(file, '.ts'))));
}
