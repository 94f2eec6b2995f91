import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const VAULT = 'AI_Employee_Vault';
const FILE = `${VAULT}/Ralph_State/RALPH_1.json`;
/** Long for a busy machine; a hook waits longer. */
const SOON = { timeout: 20_000 };
const STATE = JSON.stringify({
  loop_id: 'RALPH_1',
  prompt: 'make it',
  max_iterations: 5,
  completion_promise: 'OK',
  pause_between_iterations: 0,
});

type Reply = { readonly decision?: string; readonly reason?: string; readonly systemMessage?: string };

/** One stop of a Claude Code session in the user's project. */
async function stop(user: User, message: string, flags: readonly string[] = [], more = {}): Promise<string> {
  const ran = await user.tireless(['hook', 'claude-code', '--dialect', 'ralph-wiggum', ...flags], {
    stdin: aStop(user.project, message, more),
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout;
}

function replyOf(stdout: string): Reply {
  return JSON.parse(stdout) as Reply;
}

describe('the Ralph Wiggum hook in a real stop', () => {
  it('pauses for a request in Pending_Approval, and continues by itself after it was approved', async () => {
    const user = aUser({ [FILE]: STATE, [`${VAULT}/Approved/.keep`]: '', [`${VAULT}/Pending_Approval/.keep`]: '' });
    await stop(user, 'a');
    const request = path.join(user.project, VAULT, 'Pending_Approval/PAY_RALPH_1.md');
    writeFileSync(request, 'May I pay?');
    const waiting = stop(user, 'asked');
    await expect.poll(() => readFileSync(path.join(user.project, FILE), 'utf8'), SOON).toContain('paused_awaiting');
    renameSync(request, path.join(user.project, VAULT, 'Approved/PAY_RALPH_1.md'));
    expect(replyOf(await waiting)).toMatchObject({
      decision: 'block',
      reason: 'make it',
      systemMessage: 'Continuing loop (iteration 2/5)',
    });
  });

  it('runs until the watched file was moved, by the flags of the document', async () => {
    const user = aUser({ 'Needs_Action/INVOICE_client.md': 'pay' });
    const agent = 'if [ -e seen ]; then mkdir -p Done; mv Needs_Action/INVOICE_client.md Done/; fi; touch seen';
    const flags = ['--watch-file', 'Needs_Action/INVOICE_client.md', '--done-folder', 'Done/'];
    const ran = await user.tireless(['run', 'process it', '--agent-command', agent, ...flags]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('2 iterations');
  });

  it('takes the same stop reported twice for one', async () => {
    const user = aUser({ [FILE]: STATE, 'talk.jsonl': '{"type":"user"}\n' });
    const twin = { transcript_path: path.join(user.project, 'talk.jsonl') };
    await Promise.all([stop(user, 'same', [], twin), stop(user, 'same', [], twin)]);
    expect(readFileSync(path.join(user.project, FILE), 'utf8')).toContain('"current_iteration": 1');
  });

  it('asks a person when protected files were changed', async () => {
    const user = aUser({ [FILE]: STATE, 'test/a.txt': '1' });
    const flags = ['--protect', 'test/*'];
    await stop(user, 'a', flags);
    writeFileSync(path.join(user.project, 'test/a.txt'), '2');
    mkdirSync(path.join(user.project, VAULT, 'Approved'));
    const waiting = stop(user, '<promise>OK</promise>', flags);
    const request = path.join(user.project, VAULT, 'Pending_Approval');
    await expect.poll(() => readFileSync(path.join(user.project, FILE), 'utf8'), SOON).toContain('paused_awaiting');
    await expect.poll(() => moved(request, path.join(user.project, VAULT, 'Approved')), SOON).toBe(true);
    expect(replyOf(await waiting).systemMessage).toBe('Completion promise detected');
  });

  it('writes errors and a review request when the host reports a turn that failed', async () => {
    const user = aUser({ [FILE]: STATE });
    await stop(user, 'half of it');
    const failed = { hook_event_name: 'StopFailure', error: 'server_error', error_details: '529 overloaded' };
    await stop(user, '', [], failed);
    const errors = [{ number: 1, type: 'transient', message: 'server_error: 529 overloaded', iteration: 2 }];
    expect(JSON.parse(readFileSync(path.join(user.project, FILE), 'utf8'))).toMatchObject({
      status: 'running',
      errors,
    });
    const fatal = { ...failed, error: 'authentication_failed', error_details: 'Invalid API key' };
    expect(replyOf(await stop(user, '', [], fatal)).systemMessage).toContain('Fatal error: authentication_failed');
    const history = path.join(user.project, VAULT, 'Ralph_History/RALPH_1.json');
    expect(JSON.parse(readFileSync(history, 'utf8'))).toMatchObject({
      status: 'stopped',
      errors: [...errors, { number: 2, type: 'fatal' }],
    });
    const review = readFileSync(path.join(user.project, VAULT, 'Pending_Approval/REVIEW_RALPH_1_2.md'), 'utf8');
    expect(review).toContain('Invalid API key');
    expect(review).toContain('half of it');
  });

  it('says how far it is in the ok form', async () => {
    const user = aUser({ [FILE]: STATE });
    expect(JSON.parse(await stop(user, 'a', ['--reply', 'ok']))).toEqual({
      ok: false,
      reason: 'Continuing loop (iteration 1/5)',
    });
  });
});

/** The one request the loop wrote. */
function moved(from: string, to: string): boolean {
  const name = 'APPROVAL_RALPH_1_2.md';
  try {
    renameSync(path.join(from, name), path.join(to, name));
    return true;
  } catch {
    return false; // Not written yet.
  }
}
