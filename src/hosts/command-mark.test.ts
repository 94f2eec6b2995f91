import { describe, expect, it } from 'vitest';
import { HOST_ENVIRONMENT } from '../../test/support/host-environment.ts';
import { markdownCommands, skillCommands, tomlCommands } from './command-files.ts';
import { COMMAND_MARK, isOurCommandText, SENTENCE_BEFORE_MARK } from './command-mark.ts';
import { HOSTS } from './hosts.ts';
import type { SettingsEdit } from './setup.ts';

const TYPED = '"it\'s broken"\n\n/tmp is full --check "npm test"';
const RALPH = { kind: 'command-typed', command: 'ralph', args: TYPED };
const PARAGRAPH = /\[tireless:command\] [^\n"\\]*(?:\\?"[^\n"\\]*\\?"[^\n"\\]*)*\./u;

function textIn(edits: readonly SettingsEdit[]): string {
  const edit = edits.find(({ file }) => /\/ralph(?:\.|\/SKILL)/u.test(file));
  return edit?.kind === 'own-file' ? edit.text : expect.unreachable('no command file');
}

function heard(id: 'copilot' | 'gemini' | 'qwen', name: string, prompt: string): unknown {
  const event = HOSTS[id].decode({ hook_event_name: name, session_id: 's', cwd: '/shop', prompt }, HOST_ENVIRONMENT);
  return event === 'not-ours' ? event : event.event;
}

/** The paragraph of a command file, as three versions of tireless write it. */
describe.each([
  ['as this version writes it', (paragraph: string) => paragraph],
  ['in other words', () => `${COMMAND_MARK} Other words, and no dot`],
  ['before there was a mark', () => `${SENTENCE_BEFORE_MARK}, with a goal. And "more".`],
])('a command file %s', (_, worded) => {
  const written = (edits: readonly SettingsEdit[]): string => {
    const text = textIn(edits);
    expect(text).toMatch(PARAGRAPH);
    return text.replace(PARAGRAPH, worded);
  };
  const markdown = written(markdownCommands('/c', '{{args}}'));
  const skill = written(skillCommands('/c', '/'));
  const toml = written(tomlCommands('/c'));

  it('is ours', () => {
    for (const text of [markdown, skill, toml]) expect(isOurCommandText(text)).toBe(true);
  });

  it('is told apart from what was typed, in Qwen Code', () => {
    const body = markdown.split('---\n\n')[1] ?? '';
    expect(
      heard(
        'qwen',
        'UserPromptSubmit',
        body.replace('{{args}}', () => TYPED),
      ),
    ).toEqual(RALPH);
  });

  it('is told apart from what was typed, in Gemini CLI', () => {
    const paragraph = worded(PARAGRAPH.exec(markdown)?.[0] ?? '');
    expect(heard('gemini', 'BeforeAgent', `/ralph\n\n${paragraph}\n\n/ralph ${TYPED}`)).toEqual(RALPH);
  });

  it('is told apart from what was typed, in Copilot', () => {
    const body = skill.split('---\n\n')[1] ?? '';
    const prompt = `The user explicitly invoked the "/ralph" skill. Follow it.\n\n<skill-context name="ralph">\n${body}\n\nARGUMENTS: ${TYPED}\n</skill-context>`;
    expect(heard('copilot', 'UserPromptSubmit', prompt)).toEqual(RALPH);
  });
});

it('of the user is not ours', () => {
  expect(isOurCommandText('---\ndescription: x\n---\n\nSing about tireless hooks.\n')).toBe(false);
});

it('of an old version of Gemini CLI, without a paragraph, is told apart from a goal of several paragraphs', () => {
  expect(heard('gemini', 'BeforeAgent', `/ralph\n\n/ralph ${TYPED}`)).toEqual(RALPH);
});

it('the file of another command does not promise a goal', () => {
  const texts = markdownCommands('/c', null).flatMap((edit) => (edit.kind === 'own-file' ? [edit.text] : []));
  expect(texts.filter((text) => text.includes('with a goal'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes('without an answer of tireless'))).toHaveLength(texts.length - 1);
});
