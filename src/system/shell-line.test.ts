import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { currentPlatform } from './paths.ts';
import { shellLine, splitWords } from './shell-line.ts';

const posix = { ...currentPlatform(), os: 'linux' } as const;
const windows = { ...currentPlatform(), os: 'win32' } as const;

describe('shellLine', () => {
  it('hands every word over as it is', () => {
    const words = [
      '',
      'a b',
      "it's",
      '"quoted"',
      '$(touch never)',
      '`x`',
      '\\',
      '*',
      'line\nend',
      '%PATH%',
      '-x=1',
      '🙂',
    ];
    const line = shellLine(['printf', '%s|', ...words], posix);
    expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(words.map((word) => `${word}|`).join(''));
  });

  it('refuses on Windows what cmd.exe would change', () => {
    expect(shellLine(['claude', '-p', 'a b'], windows)).toBe('claude -p "a b"');
    for (const word of ['%PATH%', 'say "x"', 'a\nb']) expect(() => shellLine([word], windows)).toThrow(/on Windows/u);
  });
});

describe('splitWords', () => {
  it.each([
    ['--model opus  --max-turns 5', ['--model', 'opus', '--max-turns', '5']],
    [`--allowedTools "Bash(npm test:*) Edit" 'a b'`, ['--allowedTools', 'Bash(npm test:*) Edit', 'a b']],
    [String.raw`a\ b "say \"x\"" '$HOME' $HOME`, ['a b', 'say "x"', '$HOME', '$HOME']],
    [`-c 'key="v w"'`, ['-c', 'key="v w"']],
    [`--x=""`, ['--x=']],
    [`''`, ['']],
    ['   ', []],
  ])('splits %j as a shell does, and expands nothing', (text, words) => {
    expect(splitWords(text, '--agent-args')).toEqual(words);
  });

  it.each([`"open`, `it's`, 'end\\'])('refuses %j', (text) => {
    expect(() => splitWords(text, '--agent-args')).toThrow(/--agent-args/u);
  });
});
