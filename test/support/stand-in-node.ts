import { readFileSync, writeFileSync } from 'node:fs';

/** A script of the shell that a hook starts in place of Node; it decides whether and how it starts Node itself. Returns its path. */
export function writeStandIn(script: string, lines: readonly string[]): string {
  writeFileSync(script, `${['#!/bin/sh', ...lines].join('\n')}\n`, { mode: 0o755 });
  return script;
}

/** Replaces text in the written files of the hooks. Throws if none of them contains it, because the test would then prove nothing. */
export function replaceInHooks(files: readonly string[], replaced: Readonly<Record<string, string>>): void {
  let changed = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const next = Object.entries(replaced).reduce((now, [from, to]) => now.replaceAll(from, to), text);
    if (next === text) continue;
    changed += 1;
    writeFileSync(file, next);
  }
  if (changed === 0) throw new Error(`none of ${files.join(', ')} says ${Object.keys(replaced).join(' or ')}`);
}
