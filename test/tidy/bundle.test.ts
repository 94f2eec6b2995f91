import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Every file that is loaded with these, by static imports only. */
function loadedWith(...names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const text = readFileSync(join(DIST, name), 'utf8');
    for (const [, file = ''] of text.matchAll(/^(?:import|export) (?:[^'"\n]+ from )?"\.\/([^"\n]+)";$/gm))
      open.push(name.startsWith('chunks/') ? `chunks/${file}` : file);
  }
  return [...seen];
}

function chunks(...names: readonly string[]): readonly string[] {
  const all = readdirSync(join(DIST, 'chunks'));
  return names.flatMap((name) => all.filter((file) => file.startsWith(`${name}-`)).map((file) => `chunks/${file}`));
}

describe('the bundle', () => {
  it('keeps what only state files of other tools need out of the everyday commands', () => {
    const yaml = chunks('yaml');
    expect(yaml).toHaveLength(1);
    const loaded = loadedWith(
      'cli.js',
      ...chunks('command-line', 'start', 'file-store', 'status', 'list', 'run', 'resume'),
    );
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.filter((file) => yaml.includes(file) || /athena|stravinsky|json-file/u.test(file))).toEqual([]);
    // Proves that it would be noticed.
    expect(loadedWith(...chunks('stravinsky'))).toContain(yaml[0]);
  });

  it('keeps the code of dialects out of the files of the hook', () => {
    const hasYaml = (file: string): boolean => readFileSync(join(DIST, file), 'utf8').includes('YAMLParseError');
    const files = readdirSync(DIST).filter((file) => /^hook.*\.cjs$/u.test(file));
    expect(files.length).toBe(3);
    expect(files.filter(hasYaml)).toEqual([]);
    // Proves that it would be noticed.
    expect(chunks('yaml').filter(hasYaml)).toHaveLength(1);
  });

  it('loads the SDK of the Model Context Protocol for "tireless mcp" alone', () => {
    const sdk = chunks('mcp-sdk');
    expect(sdk).toHaveLength(1);
    const rest = readdirSync(join(DIST, 'chunks')).filter((file) => !file.startsWith('mcp-'));
    const loaded = loadedWith('cli.js', 'index.js', 'hook-full.js', ...rest.map((file) => `chunks/${file}`));
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((file) => sdk.includes(file))).toEqual([]);
    expect(loadedWith(...chunks('mcp-server'))).toContain(sdk[0]);
  });

  it('reads TOML only where a host is set up or looked at: not in a hook, not in the everyday commands', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) => /\.c?js$/u.test(file));
    const toml = files.filter((file) => readFileSync(join(DIST, file), 'utf8').includes('Invalid TOML document'));
    expect(toml).toEqual([expect.stringMatching(/^chunks.install-/u)]);
    const loaded = loadedWith(
      'cli.js',
      ...chunks('command-line', 'start', 'file-store', 'status', 'list', 'run', 'resume', 'hook'),
    );
    expect(loaded.filter((file) => toml.includes(file))).toEqual([]);
  });
});
