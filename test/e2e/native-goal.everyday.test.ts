/** A goal of the host itself (Codex, `/goal`) beside a loop of ours: never both at the wheel, and ours may referee. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Answer = {
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: { readonly additionalContext?: string; readonly permissionDecisionReason?: string };
};

const says = (text: string): string =>
  `${JSON.stringify({ payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] } })}\n`;
const PURSUED = says('<codex_internal_context source="goal">\nContinue working toward the active thread goal.');
const CLEARED = says('<codex_internal_context source="user_goal">\nUser cleared the goal.\n</codex_internal_context>');

async function hook(user: User, event: string, fields: object): Promise<Answer> {
  const transcript_path = path.join(user.project, 'rollout.jsonl');
  const payload = { session_id: 's', cwd: user.project, transcript_path, hook_event_name: event, ...fields };
  const { code, stdout, stderr } = await user.tireless(['hook', 'codex'], { stdin: JSON.stringify(payload) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

const typed = (user: User, prompt: string): Promise<Answer> => hook(user, 'UserPromptSubmit', { prompt });

it('keeps a loop from being started while Codex pursues a goal, until the goal is cleared', async () => {
  const user = aUser();
  put(user.project, { 'rollout.jsonl': PURSUED });
  expect(await typed(user, '$ralph "paint the shed"')).toMatchObject({
    decision: 'block',
    reason: expect.stringMatching(/a goal of Codex itself.*"\/goal clear".*--observe/u) as unknown,
  });
  put(user.project, { 'rollout.jsonl': PURSUED + CLEARED });
  const begun = await typed(user, '$ralph "paint the shed"');
  expect(begun.hookSpecificOutput?.additionalContext).toContain('paint the shed');
});

it('lets a loop watch it: "complete" is refused while the check fails, and nothing else is', async () => {
  const user = aUser();
  put(user.project, { 'rollout.jsonl': PURSUED });
  await typed(user, '/ralph "paint the shed" --check "test -f done.txt" --observe');
  const update = (status: string): Promise<Answer> =>
    hook(user, 'PreToolUse', { tool_name: 'update_goal', tool_input: { status } });
  const refused = await update('complete');
  expect(refused.hookSpecificOutput?.permissionDecisionReason).toContain('test -f done.txt');
  expect(await update('blocked')).toEqual({});
  expect(await hook(user, 'Stop', { last_assistant_message: 'not yet' })).toEqual({});
  put(user.project, { 'done.txt': '' });
  expect(await update('complete')).toEqual({});
});
