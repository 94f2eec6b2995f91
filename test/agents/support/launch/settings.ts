import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HookEntry } from './launcher.ts';

type Json = Record<string, unknown>;

export function writeText(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function writeJson(file: string, value: Json): void {
  writeText(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function readJson(file: string): Json {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : {};
}

/** `{"hooks":{EVENT:[{"matcher":…,"hooks":[{"type":"command",…}]}]}}`, the shape five of the hosts share. */
export function addNestedHooks(
  file: string,
  entries: Readonly<Record<string, HookEntry>>,
  timeoutOf: (seconds: number) => number = (seconds) => seconds,
): void {
  const settings = readJson(file);
  const hooks = { ...(settings['hooks'] as Record<string, Json[]> | undefined) };
  for (const [event, entry] of Object.entries(entries)) {
    const handler = {
      type: 'command',
      command: entry.command,
      ...(entry.timeoutSeconds === undefined ? {} : { timeout: timeoutOf(entry.timeoutSeconds) }),
    };
    const group = { ...(entry.matcher === undefined ? {} : { matcher: entry.matcher }), hooks: [handler] };
    hooks[event] = [...(hooks[event] ?? []), group];
  }
  writeJson(file, { ...settings, hooks });
}
