/** What the bundler makes of the layers: every command loads the base, so the base loads nothing else. A cycle of chunks fails at start. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const CHUNKS = path.resolve(import.meta.dirname, '../../dist/chunks');

function importsOf(name: string): readonly string[] {
  const code = readFileSync(path.join(CHUNKS, name), 'utf8');
  return [...code.matchAll(/^import [^;]*?from "\.\/([^"]+)";/gmu)].map(([, imported = '']) => imported);
}

describe('chunks', () => {
  const names = readdirSync(CHUNKS).filter((name) => name.endsWith('.js'));

  it('sees them', () => {
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => name.startsWith('base-'))).toHaveLength(1);
  });

  it('import each other in one direction only', () => {
    const reach = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
      for (const next of importsOf(from)) {
        if (seen.has(next)) continue;
        seen.add(next);
        reach(next, seen);
      }
      return seen;
    };
    expect(names.filter((name) => reach(name).has(name))).toEqual([]);
  });
});
