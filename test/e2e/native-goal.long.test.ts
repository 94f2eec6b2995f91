/** A goal of the host itself (Codex, `/goal`) beside a loop of ours: never both at the wheel, and ours may referee. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openFileStore } from '../../src/stores/file-store.ts';
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

/** The iterations of the only loop. */
function countedIn({ home }: User): number | undefined {
  const store = openFileStore({ home });
  const [loop] = store.list({ ended: 'both' });
  store.close();
  return loop?.state.counted;
}

it('keeps a loop from being started while Codex pursues a goal, until the goal is cleared', async () => {
  const user = aUser();
  put(user.project, { 'rollout.jsonl': PURSUED });
  expect(await typed(user, '$ralph "paint the shed"')).toMatchObject({
    decision: 'block',
    reason: expect.stringMatching(/a goal of Codex CLI itself.*"\/goal clear".*--observe/u) as unknown,
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
  expect(countedIn(user)).toBe(0);
  expect(await hook(user, 'Stop', { last_assistant_message: 'not yet' })).toEqual({});
  put(user.project, { 'done.txt': '' });
  expect(await update('complete')).toEqual({});
});

const PLUGIN =
  '---\nactive: true\niteration: 1\nmax_iterations: 9\ncompletion_promise: "DONE"\nsession_id: s\n---\n\ngo\n';

it.each([
  [
    'codex',
    'rollout.jsonl',
    PURSUED,
    /a goal of Codex CLI itself \(\/goal\) also keeps this session going, beside loop/u,
  ],
  ['qwen', 'rollout.jsonl', () => QWENS, /a goal of Qwen Code itself .* type "\/goal clear"; or \/cancel-ralph/u],
  ['claude-code', 'rollout.jsonl', () => CLAUDES, /a goal of Claude Code itself/u],
  ['claude-code', '.claude/ralph-loop.local.md', PLUGIN, /a loop of the ralph-loop plugin .* keeps this session/u],
] as const)('is reported once when it comes after the loop: %s, %s', async (host, file, text, notice) => {
  const user = aUser();
  const stop = async (): Promise<string> => {
    const transcript_path = path.join(user.project, 'rollout.jsonl');
    const stdin = JSON.stringify({
      session_id: 's',
      cwd: user.project,
      transcript_path,
      hook_event_name: 'Stop',
      last_assistant_message: 'not yet',
      timestamp: String(Math.random()),
    });
    const args = [fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url)), host, user.home];
    return spawnSync(process.execPath, args, { input: stdin, env: user.env, encoding: 'utf8' }).stdout;
  };
  const begun = await user.tireless(['start', 'paint', '--session', 's', '--host', host, '--check-exists', 'done.txt']);
  expect(begun.code).toBe(0);
  expect(await stop()).not.toMatch(notice);
  put(user.project, { [file]: typeof text === 'string' ? text : text() });
  const told = JSON.parse(await stop()) as { readonly systemMessage?: string };
  expect(told.systemMessage).toMatch(notice);
  expect(await stop()).not.toMatch(notice);
  expect(countedIn(user)).toBe(3);
});

const CLAUDES = `${JSON.stringify({ type: 'attachment', attachment: { type: 'goal_status', met: false } })}\n`;
const QWENS = `${JSON.stringify({ subtype: 'goal_state', systemPayload: { snapshot: { goal: { status: 'active' } } } })}\n`;
const ID = 'e4021c7a-5b7e-4f0e-9c61-2d7f1f6f0a55';

it.each([
  ['claude-code', `.claude/projects/-elsewhere/${ID}.jsonl`, CLAUDES, {}],
  ['claude-code', `elsewhere/projects/-a/${ID}.jsonl`, CLAUDES, { CLAUDE_CONFIG_DIR: 'elsewhere' }],
  ['codex', `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${ID}.jsonl`, PURSUED, {}],
  [
    'codex',
    `elsewhere/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${ID}.jsonl`,
    PURSUED,
    { CODEX_HOME: 'elsewhere' },
  ],
  ['qwen', `.qwen/projects/-elsewhere/chats/${ID}.jsonl`, QWENS, {}],
  ['qwen', `elsewhere/projects/-a/chats/${ID}.jsonl`, QWENS, { QWEN_HOME: 'elsewhere' }],
  ['qwen', `kept/projects/-a/chats/${ID}.jsonl`, QWENS, { QWEN_HOME: 'elsewhere', QWEN_RUNTIME_DIR: 'kept' }],
])('is seen by a start that was told only the session: %s, %s', async (host, transcript, text, variables) => {
  const user = aUser();
  const kept = Object.entries(variables).map(([name, folder]) => [name, path.join(user.home, folder)]);
  const env = { HOME: user.home, ...(Object.fromEntries(kept) as Record<string, string>) };
  put(user.home, { [transcript]: text, [transcript.replace(ID, 'another-one')]: '' });
  const start = ['start', 'paint the shed', '--host', host, '--session'];
  expect(await user.tireless([...start, ID], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already keeps this session going.*\/goal clear/u) as unknown,
  });
  expect(await user.tireless([...start, 'another-one'], { env })).toMatchObject({ code: 0 });
  expect(await user.tireless([...start, '../chats/*'], { env })).toMatchObject({ code: 0 });
  expect(await user.tireless([...start, ID, '--observe'], { env })).toMatchObject({ code: 0 });
});
