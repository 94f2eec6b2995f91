import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GLOSSARY } from './layers.ts';

type Door = { types: string; default: string };

const root = new URL('../../', import.meta.url);

describe('docs/errors.md', () => {
  const codes = faultCodesIn(read('src/core/fault.ts'));
  const sections = [...read('docs/errors.md').matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');

  it('has one section for every fault code, and none for a code that does not exist', () => {
    expect(codes.length).toBeGreaterThan(10);
    expect(sections.toSorted()).toEqual(codes.toSorted());
  });
});

describe('CONTEXT.md', () => {
  it('defines every word of the glossary, once', () => {
    const bold = [...read('CONTEXT.md').matchAll(/^\*\*(.+?)\*\*:/gm)].map((match) => match[1] ?? '');
    expect(bold.toSorted()).toEqual(GLOSSARY.toSorted());
  });
});

describe('package.json', () => {
  const { bin, exports } = JSON.parse(read('package.json')) as {
    bin: Record<string, string>;
    exports: Record<string, string | Door | { require: Door; default: Door }>;
  };
  const doors = Object.values(exports).flatMap((door) =>
    typeof door === 'string' ? [] : 'require' in door ? [door.require, door.default] : [door],
  );

  it('opens no door to a file the build does not make', () => {
    const promised = [
      ...Object.values(bin),
      ...doors.flatMap((door) => (door.types.endsWith('.d.cts') ? [door.default, door.types] : [door.default])),
    ].map((path) => path.replace(/^\.\//, ''));
    expect(promised.length).toBeGreaterThan(2);
    expect(promised.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('has a source for the types of every door', () => {
    const made = doors.filter((door) => door.types.endsWith('.d.ts'));
    expect(made.length).toBeGreaterThan(5);
    const sources = made.map((door) => door.types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts'));
    expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });
});

/** The members of the `FaultCode` union. The type does not exist at run time, so the text is the source. */
function faultCodesIn(text: string): string[] {
  const union = /export type FaultCode =([^;]+);/.exec(text)?.[1] ?? '';
  return [...union.matchAll(/'([A-Z_]+)'/g)].map((match) => match[1] ?? '');
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
