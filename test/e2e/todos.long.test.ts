/** Open TODOs: the reminder before a prompt, and a loop that is made from them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptHook } from '../../src/facades/stravinsky/index.ts';
import type { LoopView } from '../../src/views/loop-view.ts';
import { put } from '../support/a-project.ts';
import { aPerson } from '../support/install-suite.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const LOOP_FILE = '.stravinsky/continuation-loop.md';
const LOOP = '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: all green\nactive: true\n---\nmake it\n';
const TODOS_FILE = '.stravinsky/todos.json';
const TODOS = JSON.stringify([
  { content: 'add tests', status: 'pending' },
  { content: 'fix the parser', status: 'in_progress' },
  { content: 'read the code', status: 'completed' },
]);
const REMINDER = [
  '[SYSTEM REMINDER - TODO CONTINUATION]',
  '2 TODOs are not complete:',
  '- [in_progress] fix the parser',
  '- [pending] add tests',
  '',
].join('\n');

const SILENT = { code: 0, stdout: '', stderr: '' };

function hook(user: User, payload: string, ...more: readonly string[]) {
  return user.tireless(['hook', 'claude-code', '--dialect', 'stravinsky', ...more], {
    stdin: payload,
    env: { CLAUDE_CONFIG_DIR: path.join(user.project, 'claude'), CLAUDE_CODE_TASK_LIST_ID: 'list-1' },
  });
}

function aPrompt(user: User): string {
  return aStop(user.project, '', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
}

describe('tireless hook, when the user submits a prompt', () => {
  it('reminds of the open TODOs, as text or as JSON, and is silent when none is open', async () => {
    const user = aUser({ [TODOS_FILE]: TODOS });
    const [text, json] = await Promise.all([hook(user, aPrompt(user)), hook(user, aPrompt(user), '--reply', 'json')]);
    expect(text).toEqual({ code: 0, stdout: expect.stringContaining(REMINDER) as string, stderr: '' });
    expect(text.stdout.startsWith('[SYSTEM REMINDER')).toBe(true);
    expect(JSON.parse(json.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text.stdout.trimEnd() },
    });
    put(user.project, { [TODOS_FILE]: '{"todos":[{"content":"read the code","status":"completed"}]}' });
    expect(await hook(user, aPrompt(user))).toEqual(SILENT);
  });

  it('takes the list that was named, else the one of the project, else the tasks of the session', async () => {
    const user = aUser({
      'claude/tasks/list-1/1.json': '{"id":"1","subject":"of the session","status":"pending"}',
      'TODO.md': '# To do\n\n- [x] done\n- [ ] of the checklist\n',
    });
    const [named, missing, none] = await Promise.all([
      hook(user, aPrompt(user), '--todos', 'TODO.md'),
      hook(user, aPrompt(user), '--todos', 'gone.json'),
      hook(user, aPrompt(user)),
    ]);
    expect(named.stdout).toContain('One TODO is not complete:\n- [pending] of the checklist\n');
    expect(missing).toEqual(SILENT);
    expect(none.stdout).toContain('- [pending] of the session\n');
    put(user.project, { [TODOS_FILE]: TODOS });
    expect((await hook(user, aPrompt(user))).stdout).not.toContain('of the session');
  });

  it('lets the prompt through over a list nobody can read, and tells the user', async () => {
    const user = aUser({ [TODOS_FILE]: '[{"content": "half' });
    const [text, json, other] = await Promise.all([
      hook(user, aPrompt(user)),
      hook(user, aPrompt(user), '--reply', 'json'),
      user.tireless(['hook', 'claude-code', '--dialect', 'athena', '--todos', 'x'], { stdin: aPrompt(user) }),
    ]);
    expect(text).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(TODOS_FILE) as string });
    expect(JSON.parse(json.stdout)).toEqual({ systemMessage: expect.stringContaining(TODOS_FILE) as string });
    expect(other).toMatchObject({ code: 0, stderr: expect.stringContaining('Cannot use --todos') as string });
  });

  it('works beside the continuation loop: neither counts, blocks or repeats the other', async () => {
    const user = aUser({ [LOOP_FILE]: LOOP, [TODOS_FILE]: TODOS });
    const file = (name: string) => readFileSync(path.join(user.project, name), 'utf8');
    expect((await hook(user, aPrompt(user))).stdout).toContain(REMINDER);
    expect(file(LOOP_FILE)).toBe(LOOP);
    const stopped = await hook(user, aStop(user.project, 'not yet'));
    expect(stopped).toMatchObject({ code: 2, stdout: '' });
    expect(stopped.stderr).toContain('[SYSTEM REMINDER - CONTINUATION LOOP ACTIVE]');
    expect(stopped.stderr).not.toContain('TODO CONTINUATION');
    const counted = file(LOOP_FILE);
    expect(counted).toContain('iteration_count: 2\n');
    expect((await hook(user, aPrompt(user))).stdout).toContain(REMINDER);
    expect(file(LOOP_FILE)).toBe(counted);
    const ended = await hook(user, aStop(user.project, 'all green'));
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toMatch(/^tireless: The continuation loop is complete/u);
    expect(file(TODOS_FILE)).toBe(TODOS);
  });
});

describe('the installed hook', () => {
  it("reminds of Claude Code's own tasks through the line it wrote, as the direct call does", async () => {
    const person = aPerson({ '.claude/tasks/s1/1.json': '{"id":"1","subject":"add tests","status":"pending"}' });
    await person.tireless(['install', 'claude-code', '--dialect', 'stravinsky', '--yes']);
    const { hooks } = JSON.parse(readFileSync(path.join(person.project, '.claude/settings.local.json'), 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const env = { CLAUDE_PROJECT_DIR: person.project, HOME: person.home, CLAUDE_CODE_SESSION_ID: 's1' };
    const prompt = { session_id: 's1', cwd: person.project, hook_event_name: 'UserPromptSubmit', prompt: 'go on' };
    const run = (event: string): string =>
      spawnSync('/bin/sh', ['-c', hooks[event]?.[0]?.hooks[0]?.command ?? 'false'], {
        env,
        input: JSON.stringify({ ...prompt, hook_event_name: event }),
        encoding: 'utf8',
      }).stdout;
    const { text } = promptHook({ cwd: person.project, tasks: path.join(person.home, '.claude/tasks'), list: 's1' });
    expect(text).toContain('[SYSTEM REMINDER - TODO CONTINUATION]');
    expect(JSON.parse(run('UserPromptSubmit'))).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text },
    });
    expect(run('Stop')).toBe('');
  });
});

describe('tireless run --from-todos', () => {
  const tickAll =
    'cat > prompt; for f in .tireless/tracker-*.md; do sed "s/- \\[ \\]/- [x]/" "$f" > t && cat t > "$f"; done; touch done; echo "<promise>DONE</promise>"';
  const run = (user: User, ...more: readonly string[]) => user.tireless(['run', '--agent-command', tickAll, ...more]);

  it('makes the open TODOs goal and criteria, beside a check, and reads no pipe for the goal', async () => {
    const user = aUser({ 'todos.json': TODOS });
    const ran = await user.tireless(
      ['run', '--agent-command', tickAll, '--from-todos', 'todos.json', '--check-exists', 'done', '--json'],
      { stdin: 'not the goal' },
    );
    expect(ran.code).toBe(0);
    const loop = JSON.parse(ran.stdout) as LoopView;
    expect(loop).toMatchObject({
      status: 'completed',
      goal: expect.stringMatching(/^Complete every open TODO:\n/) as string,
    });
    const prompt = readFileSync(path.join(user.project, 'prompt'), 'utf8');
    expect(prompt).toContain('Complete every open TODO:\n- fix the parser\n- add tests\n');
    expect(prompt).not.toContain('read the code');
    expect(prompt).not.toContain('not the goal');
    const tracker = readFileSync(path.join(user.project, `.tireless/tracker-${loop.id}.md`), 'utf8');
    expect(tracker).toContain('- [x] fix the parser\n- [x] add tests\n');
  });

  it('does not end before every TODO is ticked off', async () => {
    const user = aUser({ 'TODO.md': '- [ ] add tests\n' });
    const claim = "cat > /dev/null; printf '%s\\n' '<promise>DONE</promise>'";
    const args = ['run', '--agent-command', claim, '--from-todos', 'TODO.md', '--max-iterations', '1'];
    const ran = await user.tireless(args);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('add tests');
  });

  it('puts a goal that was typed first', async () => {
    const user = aUser({ 'TODO.md': '- [ ] add tests\n' });
    expect((await run(user, 'release', 'it', '--from-todos', 'TODO.md', '--criterion', 'notes')).code).toBe(0);
    const prompt = readFileSync(path.join(user.project, 'prompt'), 'utf8');
    expect(prompt).toContain('release it\n\nComplete every open TODO:\n- add tests\n');
    expect(prompt).toContain('notes');
  });

  it('is refused without an open TODO, without a file, and for a file that is no list', async () => {
    const user = aUser({ 'all-done.md': '- [x] a\n', 'prose.md': 'nothing to tick\n' });
    const refused = async (file: string): Promise<string> => {
      const { code, stdout, stderr } = await run(user, '--from-todos', file);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    const said = await Promise.all(['all-done.md', 'prose.md', 'gone.md'].map(refused));
    const reasons = ['no TODO in it is open', 'is neither', 'no such file'];
    for (const [at, reason] of reasons.entries()) expect(said[at]).toContain(reason);
    expect((await user.tireless(['list', '--json'])).stdout).toBe('{"loops":[]}\n');
  });
});
