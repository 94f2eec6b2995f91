import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';

/** What each shell offers for `tireless ` + the words of `line`, of which the last is incomplete. */
const ASK: Readonly<Record<string, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '-c',
    'source "$1"; shift; COMP_WORDS=(tireless "$@"); COMP_CWORD=$#; _tireless; printf "%s\\n" "${COMPREPLY[@]}"',
    'bash',
    script,
    ...words,
  ],
  // The functions of its completion system are stood in for: they only work while a person types.
  zsh: (script, words) => [
    '-f',
    '-c',
    [
      'compdef() { : }',
      '_describe() { print -l -- ${${(P)@[-1]}%%:*} }',
      'compadd() { shift; print -l -- $@ }',
      '_files() { : }',
      'source "$1"; shift; words=(tireless "$@"); CURRENT=$#words; PREFIX=$words[-1]; _tireless',
    ].join('\n'),
    'zsh',
    script,
    ...words,
  ],
  fish: (script, words) => [
    '--no-config',
    '-c',
    'source $argv[1]; complete -C "tireless $argv[2..]" | string split -f 1 \\t',
    script,
    ...words,
  ],
};

describe.each(Object.keys(ASK))('completion in %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;

  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const user = aUser();
    const { code, stdout } = await user.tireless(['completion', shell]);
    expect(code).toBe(0);
    const script = path.join(user.project, 'script');
    writeFileSync(script, stdout);
    const asked = spawnSync(shell, ASK[shell]?.(script, words) ?? [], { encoding: 'utf8', cwd: user.project });
    expect(asked.stderr).toBe('');
    return asked.stdout.split('\n').filter((word) => word !== '' && word.startsWith(words.at(-1) ?? ''));
  }

  it('offers the commands', async ({ skip }) => {
    if (!isThere) skip(`there is no ${shell}`);
    expect(await offered('re')).toEqual(expect.arrayContaining(['resume', 'reject', 'replay', 'report']));
  });

  it('offers the flags of a command, its hosts and the last loop', async ({ skip }) => {
    if (!isThere) skip(`there is no ${shell}`);
    expect(await offered('run', '--max-it')).toEqual(['--max-iterations']);
    expect(await offered('doctor', 'gem')).toEqual(['gemini']);
    expect(await offered('explain', 'la')).toEqual(['last']);
  });

  it('offers the values of a flag that has a list of them', async ({ skip }) => {
    if (!isThere) skip(`there is no ${shell}`);
    expect(await offered('run', '--agent', 'cl')).toEqual(['claude-code']);
    expect(await offered('list', '--status', 'pa')).toEqual(['paused']);
    expect(await offered('start', '--template', 'fix')).toEqual(['fix-tests']);
    // A switch of the same name takes no value.
    expect(await offered('logs', '--agent', 'la')).toEqual(['last']);
  });
});
