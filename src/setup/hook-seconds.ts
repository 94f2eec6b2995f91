/**
 * What a hook that waits for long needs of the settings: one number. It is read without the modules of `install` and `doctor`, which a hook does
 * not load. Settings with comments are skipped: no parser for them is loaded either.
 */
import path from 'node:path';
import { parseJson } from '../core/parse-json.ts';
import { fieldsOf, itemsIn, nameIn } from '../hosts/fields.ts';
import { guardFolder, scriptOf } from '../hosts/guard.ts';
import { HOSTS } from '../hosts/hosts.ts';
import type { HostId } from '../hosts/ids.ts';
import { readTextIfExists } from '../system/files.ts';
import { namesIn } from '../system/folder.ts';

/** Deeper than any host nests its hooks. */
const DEPTH_MAX = 12;

/** How long the settings of a host let our hooks in this project run, in seconds; `null` = they say nothing about it. */
export function hookSecondsIn(host: HostId, project: string, home: string): number | null {
  const folder = path.join(home, 'installed');
  const files = namesIn(folder).flatMap((name) => settingsIn(path.join(folder, name), host, project));
  const times = files.flatMap((file) => timesIn(parseJson(readTextIfExists(file) ?? ''), guardFolder(home)));
  if (times.length === 0) return null;
  return Math.min(...times) / (HOSTS[host].install.countsMs === true ? 1000 : 1);
}

/** The settings that one install has changed, if it concerns this project. */
function settingsIn(record: string, host: HostId, project: string): readonly string[] {
  const fields = fieldsOf(parseJson(readTextIfExists(record) ?? '')) ?? {};
  const of = nameIn(fields, 'project');
  if (nameIn(fields, 'host') !== host || (of !== undefined && of !== project)) return [];
  return itemsIn(fields, 'files').flatMap((file) => {
    const { kind, file: name } = fieldsOf(file) ?? {};
    return kind === 'json' && typeof name === 'string' ? [name] : [];
  });
}

/** Each `timeout` beside a line that reads a script of ours. */
function timesIn(value: unknown, scripts: string, depth = 0): readonly number[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  const inner = Object.values(value).flatMap((each) => timesIn(each, scripts, depth + 1));
  const fields = fieldsOf(value) ?? {};
  const lines = Object.values(fields).filter((each) => typeof each === 'string');
  const isOurs = lines.some((line) => scriptOf(line)?.startsWith(`${scripts}/`) === true);
  const time = fields['timeout'] ?? fields['timeoutSec'];
  return isOurs && typeof time === 'number' ? [time, ...inner] : inner;
}
