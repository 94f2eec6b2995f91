import path from 'node:path';
import { Fault } from '../core/fault.ts';
import { dialectOfPath, PRD } from '../dialects/names.ts';
import type { ImportedLoop } from '../engine/import-loop.ts';
import { importedFrom, importedList, readingOfOnlyFormat } from '../engine/import-loop.ts';
import { oneLine } from '../views/printable.ts';
import { FORMATS, parseFormat } from './parse-dialect.ts';
import type { World } from './services.ts';

/** The format of a file: as typed, otherwise by its name, otherwise the only format that can read it. Throws a Fault. */
export async function readImported(
  given: { readonly file: string; readonly text: string; readonly dialect: string | undefined },
  world: World,
): Promise<ImportedLoop> {
  const { file, text } = given;
  const named = given.dialect ?? dialectOfPath(path.resolve(world.cwd, file));
  if (named !== undefined) {
    const found = await readAs(named, text, world);
    if (typeof found !== 'string') return found;
    throw new Fault(
      'STATE_FILE_INVALID',
      `Cannot import ${file} as ${named}: ${oneLine(found, 300)}. Correct the file, or name another dialect with --dialect.`,
    );
  }
  const tried = await Promise.all(FORMATS.map((name) => readAs(name, text, world)));
  const choice = readingOfOnlyFormat(tried);
  if (choice.kind === 'found') return choice.imported;
  const { could } = choice;
  throw new Fault(
    'STATE_FILE_INVALID',
    `Cannot tell which tool ${file} belongs to${could.length > 1 ? `: it could be ${could.join(' or ')}` : ''}. Name its dialect: --dialect ${FORMATS.join('|')}.`,
  );
}

/** A string explains why it cannot be read. */
async function readAs(given: string, text: string, world: World): Promise<ImportedLoop | string> {
  const name = parseFormat(given);
  if (name === PRD) return readAsPrd(text);
  const dialect = await world.services.dialect(name);
  const reading = dialect.read(text);
  return reading.kind === 'invalid' ? reading.why : importedFrom(name, reading);
}

async function readAsPrd(text: string): Promise<ImportedLoop | string> {
  const { PRD_CLAIM, readPrd } = await import('../dialects/prd.ts');
  const found = readPrd(text);
  if (found.kind === 'invalid') return found.why;
  const { goal, criteria, criteriaMet } = found;
  return importedList(PRD, { goal, claim: PRD_CLAIM, criteria, criteriaMet });
}
