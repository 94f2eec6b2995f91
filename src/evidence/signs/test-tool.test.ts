import { expect, it } from 'vitest';
import { isTestTool } from './test-tool.ts';

const manifest = (value: object): string => JSON.stringify(value);

it.each(['vitest', 'jest', '@jest/globals', 'mocha', 'chai', 'jasmine', 'ava'])(
  'a package that others use together with %s is a tool for tests',
  (name) => {
    expect(isTestTool('package.json', manifest({ peerDependencies: { [name]: '*' } }))).toBe(true);
    expect(isTestTool('package.json', manifest({ devDependencies: { [name]: '*' } }))).toBe(false);
  },
);

it.each<[string, string]>([
  ['package.json', manifest({ name: 'shop-test-utils' })],
  ['packages/a/package.json', manifest({ keywords: ['tdd'] })],
  ['pyproject.toml', 'name = "pytest-shop"\n'],
  ['setup.cfg', '[options.entry_points]\npytest11 =\n'],
])('%s says so: %s', (path, text) => {
  expect(isTestTool(path, text)).toBe(true);
});

it.each<[string, string]>([
  ['package.json', manifest({ name: 'shop', keywords: ['cart', 7] })],
  ['package.json', 'no json'],
  ['package.json', '[]'],
  ['README.md', 'pytest11'],
])('%s does not: %s', (path, text) => {
  expect(isTestTool(path, text)).toBe(false);
});
