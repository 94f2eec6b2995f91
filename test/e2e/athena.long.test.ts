/** Athena's tracker in Claude Code, through the lines that the installation wrote. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aPerson } from '../support/install-suite.ts';

const FILE = '.athena/sessions/a b/loop-tracker.md';
const TRACKER = [
  '---',
  'iteration: 0',
  'max_iterations: 2',
  'completion_marker: "E2E_COMPLETE"',
  'active: true',
  'started_at: "2026-02-25T10:00:00Z"',
  '---',
  '# Progress',
  '',
].join('\n');

async function aSession(file = FILE) {
  const person = aPerson({});
  await person.tireless(['install', 'claude-code', '--dialect', 'athena', '--yes']);
  put(person.project, { [file]: TRACKER });
  const tracker = path.join(person.project, file);
  const { hooks } = JSON.parse(readFileSync(path.join(person.project, '.claude/settings.local.json'), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const env = { CLAUDE_PROJECT_DIR: person.project, HOME: person.home, CLAUDE_CODE_SESSION_ID: 's1' };
  const hook = (event: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
    const line = hooks[event]?.[0]?.hooks[0]?.command ?? 'false';
    const input = JSON.stringify({ session_id: 's1', cwd: person.project, hook_event_name: event, ...more });
    const { stdout, status } = spawnSync('/bin/sh', ['-c', line], { env, input, encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>);
  };
  return { person, tracker, hook, read: () => readFileSync(tracker, 'utf8') };
}

describe('the installed hook of Athena', () => {
  it('logs both endings of the document in its words', async () => {
    const { hook, tracker, read } = await aSession();
    expect(hook('Stop')).toMatchObject({ decision: 'block' });
    expect(hook('Stop')).toMatchObject({ decision: 'block' });
    expect(hook('Stop')).toEqual({
      systemMessage: expect.stringMatching(/max iterations reached \(2 of 2\).*tireless explain/u) as string,
    });
    expect(read()).toContain('iteration: 2\nmax_iterations: 2\n');
    expect(hook('Stop')).toEqual({});
    put(path.dirname(tracker), { 'loop-tracker.md': `${TRACKER.replace('T10', 'T11')}E2E_COMPLETE\n` });
    expect(hook('Stop')).toEqual({
      systemMessage: expect.stringMatching(/completion marker found.*tireless explain/u) as string,
    });
    expect(read()).toContain('active: false');
  });

  it('warns of a tracker that was deleted, at the next stop and once, also where no tracker is left', async () => {
    const { hook, tracker } = await aSession();
    expect(hook('Stop')).toMatchObject({ decision: 'block' });
    rmSync(tracker);
    expect(hook('Stop')).toEqual({ systemMessage: expect.stringMatching(/tracker .* is gone/u) as string });
    expect(hook('Stop')).toEqual({});
  });

  it('deactivates the tracker of a session that ends, and no other', async () => {
    const { hook, read, person } = await aSession();
    expect(hook('SessionEnd', { reason: 'other', session_id: 's2' })).toEqual({});
    expect(read()).toBe(TRACKER);
    hook('Stop');
    for (const reason of ['clear', 'resume']) hook('SessionEnd', { reason });
    hook('SessionEnd', { reason: 'other', session_id: 's2' });
    expect(read()).toBe(TRACKER.replace('iteration: 0', 'iteration: 1'));
    hook('SessionEnd', { reason: 'prompt_input_exit' });
    expect(read()).toBe(TRACKER.replace('iteration: 0', 'iteration: 1').replace('active: true', 'active: false'));
    expect(hook('Stop')).toEqual({});
    expect((await person.tireless(['history'])).stdout).toContain('cancelled');
  });

  it('deactivates the own tracker of a session that never stopped', async () => {
    const { hook, read } = await aSession('.athena/sessions/s1/loop-tracker.md');
    hook('SessionEnd', { reason: 'logout' });
    expect(read()).toBe(TRACKER.replace('active: true', 'active: false'));
  });
});
