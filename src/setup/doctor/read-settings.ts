import { fieldsOf } from '../../hosts/fields.ts';
import type { HostId } from '../../hosts/host.ts';
import { readTextIfExists } from '../../system/files.ts';
import { valueIn } from '../settings/json-text.ts';
import type { Finding } from './finding.ts';
import { problem } from './finding.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Settings = { readonly file: string; readonly fields: Fields };

/** What stands in settings files of a host, in the order given; those that are not there are left out. Throws `SETTINGS_INVALID`. */
export function readSettings(files: readonly string[]): readonly Settings[] {
  return files.flatMap((file) => {
    const text = readTextIfExists(file);
    return text === undefined ? [] : [{ file, fields: fieldsOf(valueIn({ file, text })) ?? {} }];
  });
}

export function hooksOffFinding(host: HostId, file: string, setting: string): Finding {
  return problem(host, {
    about: 'hooks-off',
    text: `${file} says ${setting}: no hook runs`,
    fix: `remove "${setting}" from ${file}`,
  });
}
