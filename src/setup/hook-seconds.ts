/**
 * Reads one number from the settings: how long our hook may wait. Without the modules of `install` and `doctor`, which a hook does not
 * load. Settings with comments are skipped, because the parser for them is not loaded either.
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

/** `event`: the host's name for the event. */
export type HookPlace = { readonly host: HostId; readonly event: string; readonly project: string };

/** How long the settings of a host let our hook for this event run, in seconds; `null` = they do not contain it. */
export function hookSecondsIn({ host, event, project }: HookPlace, home: string): number | null {
  const { install, capabilities } = HOSTS[host];
  const folder = path.join(home, 'installed');
  const files = namesIn(folder).flatMap((name) => settingsIn(path.join(folder, name), host, project));
  const times = files.flatMap((file) => {
    const { hooks } = fieldsOf(parseJson(readTextIfExists(file) ?? '')) ?? {};
    return timesIn(fieldsOf(hooks)?.[event], guardFolder(home));
  });
  const unit = install.countsMs === true ? 1000 : 1;
  const seconds = times.map((time) => (time === null ? capabilities.hookTimeoutSeconds : time / unit));
  return seconds.length === 0 ? null : Math.min(...seconds);
}

/** The settings that one install has changed, if it concerns this project. */
function settingsIn(record: string, host: HostId, project: string): readonly string[] {
  const fields = fieldsOf(parseJson(readTextIfExists(record) ?? '')) ?? {};
  const of = nameIn(fields, 'project');
  if (nameIn(fields, 'host') !== host || (of !== undefined && of !== project)) return [];
  return itemsIn(fields, 'files').flatMap((file) => {
    const name = nameIn(fieldsOf(file) ?? {}, 'file');
    return name?.endsWith('.json') === true ? [name] : [];
  });
}

/** The `timeout` beside each line that reads our script; `null` = there is none, and the host uses its default. */
function timesIn(value: unknown, scripts: string, depth = 0): readonly (number | null)[] {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  const inner = Object.values(value).flatMap((each) => timesIn(each, scripts, depth + 1));
  const fields = fieldsOf(value) ?? {};
  const lines = Object.values(fields).filter((each) => typeof each === 'string');
  const isOurs = lines.some((line) => scriptOf(line)?.startsWith(`${scripts}/`) === true);
  const time = fields['timeout'] ?? fields['timeoutSec'];
  return isOurs ? [typeof time === 'number' && time > 0 ? time : null, ...inner] : inner;
}
