import { parse, TomlError } from 'smol-toml';
import { Fault } from '../../core/fault.ts';
import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf } from '../../hosts/fields.ts';

export type TomlFile = { readonly file: string; readonly text: string };

/** The content of the whole file. Throws `SETTINGS_INVALID`. */
export function tomlIn({ file, text }: TomlFile): Fields {
  const found = parsed(text);
  if (!(found instanceof TomlError)) return found;
  // Without the lines that the parser quotes: they may contain somebody's key.
  const [why = ''] = found.message.replace('Invalid TOML document: ', '').split('\n');
  throw cannotChange(file, `line ${found.line} is not valid TOML (${why}). Correct the file`);
}

/**
 * Tables cannot be added to a broken file, or below something that is a plain value: the host could then not read the file at all. `after`:
 * the text with the tables in it.
 */
export function refuseOddToml(before: TomlFile, after: string): void {
  const theirs = tomlIn(before);
  const clash = parsed(after);
  if (!(clash instanceof TomlError)) return;
  const path = pathInto(theirs, after.split(/\r?\n/u)[clash.line - 1] ?? '');
  const name = path.length === 0 ? 'something in it' : path.join('.');
  throw cannotChange(before.file, `${name} is an inline value, so nothing can be added to it. Make it a table`);
}

/** The table that a line begins, however its name is quoted; `undefined` = none. */
export function tableNamed(line: string): string | undefined {
  const found = /^\s*\[/u.test(line) ? parsed(line) : undefined;
  return found === undefined || found instanceof TomlError ? undefined : JSON.stringify(found);
}

/** How far the existing values reach on the path to a table. */
function pathInto(theirs: Fields, header: string): readonly string[] {
  const path: string[] = [];
  let have: Fields | undefined = theirs;
  let want: unknown = parsed(header);
  for (;;) {
    const [name] = Object.keys(fieldsOf(want) ?? {});
    if (name === undefined || have?.[name] === undefined) return path;
    path.push(name);
    have = fieldsOf(have[name]);
    want = fieldsOf(want)?.[name];
  }
}

function parsed(text: string): Fields | TomlError {
  try {
    // A number that is too large does not matter here, because only Codex uses it.
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function cannotChange(file: string, why: string): Fault {
  return new Fault(
    'SETTINGS_INVALID',
    `Cannot change ${file}: ${why} and run the same command again; nothing was written.`,
  );
}
