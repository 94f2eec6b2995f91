import { describe, expect, it } from 'vitest';
import { isMakefile, onlyAddsSources } from './make-sources.ts';

const BEFORE = `SRCS = src/price.c
CFLAGS += -Wall
build/t: test/price.c src/price.c src/price.h
\tcc -o build/t test/price.c src/price.c -lm
test: build/t
\t./build/t
`;
const isProduct = (file: string): boolean => file.startsWith('src/');
const adds = (from: string, to: string): boolean => onlyAddsSources(BEFORE, BEFORE.replaceAll(from, to), isProduct);

describe('a Makefile', () => {
  it('may get a source of the product behind another one', () => {
    expect(adds('src/price.c', 'src/price.c src/add.c')).toBe(true);
    expect(adds('SRCS = src/price.c', 'SRCS = src/price.c src/add.c src/half.cpp')).toBe(true);
  });

  it.each([
    ['test/price.c', 'src/price.c'],
    ['test/price.c', 'test/price.c src/add.c'],
    ['-o build/t', '-o build/t src/add.c'],
    ['src/price.c', 'src/add.c'],
    ['src/price.c -lm', 'src/price.c'],
    ['src/price.c -lm', 'src/price.c src/add.c -DNDEBUG -lm'],
    ['src/price.c', 'src/price.c test/add.c'],
    ['src/price.c', 'src/price.c src/add.c;true'],
    ['./build/t', './build/t src/add.c'],
    ['-Wall', '-Wall src/add.c'],
    ['\t./build/t\n', '\ttrue\n'],
    ['test: build/t', 'test:'],
  ])('may not turn %j into %j', (from, to) => {
    expect(adds(from, to)).toBe(false);
  });

  it('is left alone where a line does more than compile', () => {
    const line = (more: string): string => `\tcc -o t test/a.c src/a.c${more} && ./t src/a.c${more}\n`;
    expect(onlyAddsSources(line(''), line(' src/b.c'), isProduct)).toBe(false);
  });

  it('is known by its name', () => {
    expect(['Makefile', 'a/makefile', 'rules.mk', 'make.c'].map(isMakefile)).toEqual([true, true, true, false]);
  });
});
