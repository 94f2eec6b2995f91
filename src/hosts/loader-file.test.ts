import { expect, it } from 'vitest';
import { isLoaderText, loaderText } from './loader-file.ts';

const PLACE = { node: 'node', script: 'cli.js', plugins: '/plugins', tirelessHome: '/state' };

it.each([
  ['this version', loaderText(PLACE, 'pi/tireless.js', (plugin) => `export default ${plugin};`, []), true],
  ['a later version', '// [tireless] In other words.\n', true],
  ['an older version', '// Written by "tireless install"; "tireless uninstall" removes it.\n', true],
  ['a person', '// My own extension, written for tireless.\n', false],
])('knows by its first characters whether a plugin file was written by tireless: %s', (_, text, expected) => {
  expect(isLoaderText(text)).toBe(expected);
});
