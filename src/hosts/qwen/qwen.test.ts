import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_ENVIRONMENT } from '../../../test/support/host-environment.ts';
import type { HostEvent } from '../host.ts';
import { host } from './host.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../test/fixtures/hosts/qwen');

function decoded(moment: string, more: object = {}, variables: Record<string, string> = {}): HostEvent {
  const text = readFileSync(path.join(FIXTURES, `${host.capabilities.measured}-${moment}.json`), 'utf8');
  const event = host.decode({ ...(JSON.parse(text) as object), ...more }, { ...HOST_ENVIRONMENT, variables });
  if (event === 'not-ours') throw new Error('not ours');
  return event;
}

describe('qwen', () => {
  it('takes a command as it was typed, before files and commands were read into it', () => {
    const more = { prompt: '/ralph look at A shop.', submitted_prompt: '/ralph look  at @README.md' };
    expect(decoded('user-prompt-submit', more).event).toEqual({
      kind: 'command-typed',
      command: 'ralph',
      args: 'look  at @README.md',
    });
  });

  it('waits for no task that has ended, and for no schedule: both stay in its list', () => {
    const task = (status: string): object => ({ id: 'a', status, agent_type: 'general-purpose' });
    const worksIn = (more: object): boolean | undefined => decoded('stop', more).report.backgroundWork;
    expect(worksIn({ background_tasks: [task('completed'), task('failed'), task('cancelled')] })).toBe(false);
    expect(worksIn({ background_tasks: [task('completed'), task('running')] })).toBe(true);
    expect(worksIn({ crons: [{ id: 'c', schedule: '* * * * *', recurring: true, enabled: true }] })).toBe(false);
  });

  it('hands over in time when the context of the model is full', () => {
    expect(decoded('stop').report.contextFull).toBe(false);
    expect(decoded('stop', { context_usage: 0.98 }).report.contextFull).toBe(true);
  });

  it.each([
    [{}, 99],
    [{ QWEN_CODE_STOP_HOOK_BLOCK_CAP: '20' }, 19],
    [{ QWEN_CODE_STOP_HOOK_BLOCK_CAP: '1' }, 0],
    [{ QWEN_CODE_STOP_HOOK_BLOCK_CAP: '1000' }, 99],
    [{ QWEN_CODE_STOP_HOOK_BLOCK_CAP: 'many' }, 7],
  ])('knows how often it can send the agent back: %j → %i', (variables, expected) => {
    expect(decoded('stop', {}, variables).report.repliesInRowMax).toBe(expected);
  });

  it('takes a claim in the letters that Qwen Code showed for the tag it stands for', () => {
    const message = (said: string): unknown => decoded('stop', { last_assistant_message: said }).report.message;
    expect(message('done\n&lt;promise&gt;DONE&lt;/promise&gt;')).toBe('done\n<promise>DONE</promise>');
    expect(message('I will write &lt;promise&gt;DONE&lt;/promise&gt; then')).toContain('&lt;promise&gt;');
  });

  it('has the agent tell what the user has to know, since its screen shows nothing of it at a prompt', () => {
    const reply = (kind: 'silent' | 'context'): string =>
      host.encode({ kind, name: 'UserPromptSubmit', notice: 'it failed', text: 'the goal' }).stdout;
    expect(reply('silent')).toContain('Tell the user this first, word for word: it failed');
    expect(reply('context')).toMatch(/it failed.*the goal/u);
    expect(host.encode({ kind: 'silent', name: 'Stop', notice: 'it failed' }).stdout).not.toContain('Tell the user');
  });

  it('says how to read what Qwen Code escapes, and nothing where there is nothing to escape', () => {
    const text = (said: string): string =>
      host.encode({ kind: 'context', name: 'Stop', notice: null, text: said }).stdout;
    expect(text('say <promise>DONE</promise>')).toContain('&lt; stands for the less-than sign');
    expect(text('say it')).not.toContain('&lt;');
  });
});
