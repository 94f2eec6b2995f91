/** The agent is not the human: the built command line and the built hook, in processes with and without the marks of an agent. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PEOPLE_COMMANDS } from '../../src/core/people-commands.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import { containment } from '../../src/system/contain.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';
import { hook, onlyLoop, typedFields } from '../support/session-hook.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const CLI = path.join(DIST, 'cli.js');
const AGENT = { CLAUDE_CODE_SESSION_ID: 'session-1' };

async function armed(user: User, more: readonly string[] = [], host: HostId = 'claude-code'): Promise<void> {
  const args = ['start', 'goal', '--session', 'session-1', '--host', host, '--check-exists', 'done.txt', ...more];
  expect(await user.tireless(args)).toMatchObject({ code: 0 });
}

/** Everything holds, and a person is asked. */
async function askedForApproval(user: User): Promise<void> {
  await armed(user, ['--approve-finish']);
  writeFileSync(path.join(user.project, 'done.txt'), '');
  await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, 'done'), env: AGENT });
  expect(onlyLoop(user).state.pause?.cause).toBe('approval');
}

const typed = (user: User, name: string, args = '', env: Readonly<Record<string, string>> = AGENT) =>
  hook(user, 'UserPromptExpansion', typedFields(name, args), env);

describe('the agent of a session', () => {
  it('is refused every command that is for people, told how a person does it, and the attempt is in the journal', async () => {
    const user = aUser();
    await askedForApproval(user);
    const { loop } = onlyLoop(user).state;
    const calls = PEOPLE_COMMANDS.map(
      async (command) => [command, await user.tireless([command], { env: AGENT })] as const,
    );
    for (const [command, { code, stderr }] of await Promise.all(calls))
      expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining('tireless: AGENT_REFUSED: ')]);
    const { stderr } = await user.tireless(['approve'], { env: AGENT });
    expect(stderr).toContain(`the agent of loop ${loop} (CLAUDE_CODE_SESSION_ID)`);
    expect(stderr).toContain('type /ralph-approve in the session');
    expect(stderr).toContain('A shell command of the session itself ("!")');
    expect(onlyLoop(user).state).toMatchObject({
      status: 'paused',
      approvals: [],
      attemptsRefused: PEOPLE_COMMANDS.length + 1,
    });
    const { stdout } = await user.tireless(['explain']);
    expect(stdout).toContain('The agent tried "tireless resume", which only a person may do, and was refused.');
    for (const command of ['status', 'explain', 'list', 'history', 'wait'])
      expect(await user.tireless([command], { env: AGENT })).toMatchObject({ code: 0 });
    expect((await user.tireless(['approve', '--help'], { env: AGENT })).code).toBe(0);
    // A person, in a terminal of their own or in that of a session without a loop.
    const other = { CLAUDE_CODE_SESSION_ID: 'session-2' };
    expect((await user.tireless(['approve'], { env: other })).stdout).toContain('completed, verified');
  });

  it.runIf(process.platform === 'linux')('is known by its ancestors when it drops its own mark', async () => {
    const user = aUser();
    await askedForApproval(user);
    for (const drop of [
      'env -u CLAUDE_CODE_SESSION_ID',
      `env -i TIRELESS_HOME='${user.home}'`,
      'env -u TIRELESS_HOME',
    ]) {
      // Not the last command: the shell that carries the mark stays.
      const line = `cd '${user.project}' && ${drop} TIRELESS_HOME='${user.home}' '${process.execPath}' '${CLI}' approve; exit $?`;
      const ran = spawnSync('/bin/sh', ['-c', line], { env: { ...user.env, ...AGENT }, encoding: 'utf8' });
      expect([drop, ran.status, ran.stderr]).toEqual([drop, 1, expect.stringContaining('AGENT_REFUSED')]);
    }
    expect(onlyLoop(user).state.status).toBe('paused');
  });

  it('may start the next loop when its own is over', async () => {
    const user = aUser();
    await armed(user);
    expect((await user.tireless(['cancel'])).code).toBe(0);
    expect((await user.tireless(['start', 'goal', '--check-exists', 'x'], { env: AGENT })).code).toBe(0);
  });
});

describe('the user in a session', () => {
  it('approves by a typed command, and reads what was approved and what came of it', async () => {
    const user = aUser();
    expect((await typed(user, 'ralph-approve')).reason).toContain('this session has no open loop');
    await armed(user, ['--approve-finish']);
    expect((await typed(user, 'ralph-approve')).reason).toContain('is not waiting for approval');
    writeFileSync(path.join(user.project, 'done.txt'), '');
    await user.tireless(['hook', 'claude-code'], { stdin: aStop(user.project, 'done'), env: AGENT });
    const { reason } = await typed(user, 'tireless:ralph-approve');
    expect(reason).toContain('you approved the finish.');
    expect(reason).toContain('completed, verified');
    expect(onlyLoop(user).state).toMatchObject({ status: 'completed', approvals: ['finish'] });
  });

  it('rejects with a reason, and the agent continues with it', async () => {
    const user = aUser();
    await askedForApproval(user);
    expect((await typed(user, 'ralph-reject', '  ')).reason).toContain('say what is missing');
    const answer = await typed(user, 'ralph-reject', 'the shed is "blue"');
    expect(answer.hookSpecificOutput?.additionalContext).toContain('the shed is "blue"');
    expect(answer.systemMessage).toContain('you rejected');
    expect(onlyLoop(user).state).toMatchObject({ status: 'running', approvals: [] });
  });

  it('is not an agent that feeds the hook with a payload of its making', async () => {
    const user = aUser();
    await askedForApproval(user);
    const { loop } = onlyLoop(user).state;
    for (const env of [{ TIRELESS_LOOP: loop }, { ...AGENT, TIRELESS_LOOP: loop }])
      expect((await typed(user, 'ralph-approve', '', env)).reason).toContain('Only a person may answer');
    expect(onlyLoop(user).state.status).toBe('paused');
  });
});

describe('the agent of an outer loop', () => {
  it('is refused, also for another loop and with an empty environment, and starts no loop of its own', async () => {
    const user = aUser();
    const call = `'${process.execPath}' '${CLI}'`;
    const agent = [
      'cat >/dev/null',
      `${call} approve 2>>said`,
      `${call} run nested --agent-command true 2>>said`,
      `${call} start nested --session s --check true 2>>said`,
      `${call} resume --max-iterations 9999 2>>said`,
      ...(process.platform === 'linux' ? [`env -i TIRELESS_HOME="$TIRELESS_HOME" ${call} cancel 2>>said`] : []),
      // Adopted by the first process of its namespace, with nothing in its environment.
      ...(containment().by === null
        ? []
        : [`setsid -f env -i TIRELESS_HOME="$TIRELESS_HOME" ${call} steer hello 2>>said`]),
      ...(containment().by === null ? [] : ['until grep -q steer said; do sleep 0.1; done']),
      `${call} status >shown`,
      'true',
    ].join('; ');
    await user.tireless(['run', 'goal', '--agent-command', agent, '--check-exists', 'x', '--max-iterations', '1']);
    const { state } = onlyLoop(user);
    const said = readFileSync(path.join(user.project, 'said'), 'utf8').trim().split('\n');
    const tries = process.platform !== 'linux' ? 4 : containment().by === null ? 5 : 6;
    expect(said).toHaveLength(tries);
    for (const line of said) expect(line).toContain(`AGENT_REFUSED: Only a person outside the agent may run`);
    expect(readFileSync(path.join(user.project, 'shown'), 'utf8')).toContain(state.loop);
    expect(state).toMatchObject({ attemptsRefused: tries, outcome: { kind: 'halted', guard: 'iterations-max' } });
  });

  it('learns nothing about hold-outs from tireless', async () => {
    const user = aUser();
    const call = `'${process.execPath}' '${CLI}'`;
    const looks = [
      'explain',
      'explain --json',
      'status',
      'status --json',
      'list --json',
      'wait',
      'replay',
      'export prd',
    ];
    const agent = [
      'cat >/dev/null',
      ...looks.map((look) => `${call} ${look} >>shown 2>&1`),
      ...(process.platform === 'linux' ? ["tr '\\0' ' ' </proc/$PPID/cmdline >>shown"] : []),
      'true',
    ].join('; ');
    const flags = ['--check-exists', 'shown', '--holdout', 'top-secret:: test -f hidden-file', '--max-iterations', '2'];
    await user.tireless(['run', 'goal', '--agent-command', agent, ...flags]);
    const shown = readFileSync(path.join(user.project, 'shown'), 'utf8');
    expect(shown).toContain('goal');
    expect(shown).not.toMatch(/top-secret|hidden-file/u);
    expect((await user.tireless(['explain'])).stdout).toContain('top-secret');
    expect((await user.tireless(['list', '--json'])).stdout).toContain('top-secret');
  });
});

type Tool = { readonly name: string; readonly shell: string; readonly write: string; readonly file: string };

/** The tools as the hosts name them, and the field that holds a path. */
const TOOLS: Readonly<Record<HostId, Tool>> = {
  'claude-code': { name: 'PreToolUse', shell: 'Bash', write: 'Write', file: 'file_path' },
  codex: { name: 'PreToolUse', shell: 'Bash', write: 'apply_patch', file: 'command' },
  gemini: { name: 'BeforeTool', shell: 'run_shell_command', write: 'write_file', file: 'file_path' },
  qwen: { name: 'PreToolUse', shell: 'run_shell_command', write: 'write_file', file: 'file_path' },
  copilot: { name: 'PreToolUse', shell: 'bash', write: 'create', file: 'path' },
  droid: { name: 'PreToolUse', shell: 'Execute', write: 'Create', file: 'file_path' },
  opencode: { name: 'PreToolUse', shell: 'bash', write: 'write', file: 'filePath' },
  pi: { name: 'PreToolUse', shell: 'bash', write: 'write', file: 'path' },
};

describe.each(Object.entries(TOOLS))('a tool of %s', (host, { name, shell, write, file }) => {
  it('is refused when it would answer for the user or touch the home, and no other is', async () => {
    const user = aUser();
    await armed(user, [], host as HostId);
    const ask = (tool_name: string, tool_input: object, session_id = 'session-1'): string => {
      const payload = { session_id, cwd: user.project, hook_event_name: name, tool_name, tool_input };
      const args = [path.join(DIST, 'hook.cjs'), host, user.home];
      const ran = spawnSync(process.execPath, args, {
        input: JSON.stringify(payload),
        env: user.env,
        encoding: 'utf8',
      });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      return ran.stdout;
    };
    const { head } = onlyLoop(user);
    const silence = ask(shell, { command: 'npm test' });
    for (const fine of [
      ask(shell, { command: 'tireless status && tireless wait' }),
      ask(write, { [file]: `${user.project}/a.md`, content: 'tireless approve' }),
      ask(shell, { command: 'tireless approve' }, 'session-2'),
    ])
      expect(fine).toBe(silence);
    expect(onlyLoop(user).head).toEqual(head);
    expect(ask(shell, { command: 'cd x; tireless approve' })).toContain('only a person may do this');
    expect(ask(shell, { command: `node ${CLI} resume --max-iterations 9999` })).toContain('only a person may do this');
    const target = `${user.home}/trust.json`;
    const written = file === 'command' ? `*** Begin Patch\n*** Add File: ${target}\n+x\n*** End Patch` : target;
    expect(ask(write, { [file]: written, content: '{}' })).toContain('the files of tireless are not yours');
    expect(onlyLoop(user).state).toMatchObject({ status: 'running', attemptsRefused: 3 });
    expect((await user.tireless(['explain'])).stdout).toContain('The agent tried to reach the files of tireless');
  });
});
