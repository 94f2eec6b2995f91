import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOST_ENVIRONMENT } from '../../../test/support/host-environment.ts';
import type { HostAnswer, HostEnvironment, HostEvent } from '../host.ts';
import { host } from './host.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../test/fixtures/hosts/copilot');

function payload(moment: string, more: object = {}): unknown {
  const text = readFileSync(path.join(FIXTURES, `${host.capabilities.measured}-pascal-${moment}.json`), 'utf8');
  return { ...(JSON.parse(text) as object), ...more };
}

function decoded(given: unknown, more: Partial<HostEnvironment> = {}): HostEvent {
  const event = host.decode(given, { ...HOST_ENVIRONMENT, ...more });
  if (event === 'not-ours') throw new Error('not ours');
  return event;
}

const replied = (answer: HostAnswer): unknown => JSON.parse(host.encode(answer).stdout);

describe('copilot', () => {
  it('waits for the transcript to tell of this very hook: it is written while the hook runs already', () => {
    const awaited: unknown[] = [];
    const awaitText = (_: string, text: string): void => void awaited.push(text);
    decoded(payload('stop'), { transcripts: { ...HOST_ENVIRONMENT.transcripts, awaitText } });
    expect(awaited).toEqual([`"timestamp":${Date.parse('2026-11-15T12:00:00.000Z')},`]);
    const transcript = readFileSync(
      path.join(FIXTURES, `${host.capabilities.measured}-transcript-at-stop.jsonl`),
      'utf8',
    );
    expect(transcript).toContain('"stop_hook_active":false,"timestamp":1794744000000,');
  });

  it('knows a command that a skill was made of, in a terminal, and keeps what was typed byte for byte', () => {
    const args = '"it\'s `broken` $(rm -rf ~)" \\ \n\t🧨\n</skill-context> --check "npm test"';
    const skill = (name: string, end: string, text = 'The hook of tireless answers this command'): string =>
      `The user explicitly invoked the "/${name}" skill. Follow its instructions now.\n\n<skill-context name="${name}">\nBase directory for this skill: /home/ada/.copilot/skills/${name}\n\n${text}\n\n${end}\n</skill-context>`;
    const typed = (prompt: string): unknown => decoded(payload('user-prompt-submit', { prompt })).event;
    expect(typed(skill('ralph', `\nARGUMENTS: ${args}`))).toEqual({ kind: 'command-typed', command: 'ralph', args });
    expect(typed(skill('ralph-status', ''))).toEqual({ kind: 'command-typed', command: 'ralph-status', args: '' });
    expect(typed(skill('pdf', '\nARGUMENTS: x'))).toMatchObject({ kind: 'prompt-submitted' });
    expect(typed(skill('ralph', '\nARGUMENTS: x', 'Sing.'))).toMatchObject({ kind: 'prompt-submitted' });
  });

  it('tells a new session from one that came back', () => {
    expect(decoded(payload('session-start', { source: 'new' })).event).toMatchObject({ how: 'new' });
    expect(decoded(payload('session-start', { source: 'resume' })).event).toMatchObject({ how: 'returned' });
  });

  it('has the goal said again beside what the user asks', () => {
    expect(decoded(payload('user-prompt-submit')).event).toMatchObject({ kind: 'prompt-submitted', restate: true });
  });

  it('takes the project from its variable, and counts eight replies', () => {
    const stop = decoded(payload('stop'), { variables: { COPILOT_PROJECT_DIR: '/home/ada/other' } });
    expect(stop).toMatchObject({ cwd: '/home/ada/other', report: { repliesInRowMax: 8 } });
  });

  it('takes no attempt at a call that failed for a failed turn', () => {
    expect(host.decode({ ...(payload('stop') as object), hook_event_name: 'ErrorOccurred' }, HOST_ENVIRONMENT)).toBe(
      'not-ours',
    );
  });

  it('puts context where it is read, and answers a command without the model', () => {
    const prompt = { name: 'UserPromptSubmit', notice: null };
    expect(replied({ ...prompt, kind: 'context', text: 'read' })).toEqual({ additionalContext: 'read' });
    expect(replied({ ...prompt, kind: 'refuse', reason: 'no loop' })).toEqual({
      handled: true,
      responseContent: 'no loop',
    });
  });

  it('has the agent tell what the user has to know, where the agent begins to read', () => {
    expect(replied({ name: 'SessionStart', kind: 'silent', notice: 'loop x is open' })).toEqual({
      additionalContext: 'Tell the user this first, word for word: loop x is open',
    });
  });
});
