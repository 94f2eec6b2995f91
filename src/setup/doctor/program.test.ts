import { describe, expect, it } from 'vitest';
import { versionIn } from './program.ts';

describe('the version that a program tells', () => {
  it.each([
    ['2.1.325 (Claude Code)', '2.1.325'],
    ['GitHub Copilot CLI 1.0.102.\nRun it.', '1.0.102'],
    ['codex-cli 0.166.0-alpha.3\n', '0.166.0-alpha.3'],
    ['v1.2.3+build.7', '1.2.3+build.7'],
    ['1.2.30', '1.2.30'],
    ['no version', null],
  ])('is found in %j', (text, version) => {
    expect(versionIn(text)).toBe(version);
  });
});
