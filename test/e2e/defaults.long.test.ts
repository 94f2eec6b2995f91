import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../support/a-project.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const AGENT = 'cat > /dev/null; touch done';

/** A user with a configuration of their own. */
function aConfigured(config: unknown, files: Readonly<Record<string, string>> = {}) {
  const folder = aProject();
  const file = path.join(folder, 'tireless', 'config.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2), { mode: 0o600 });
  const user: User = aUser(files);
  const tireless = (...args: string[]) => user.tireless(args, { env: { XDG_CONFIG_HOME: folder } });
  return { user, file, tireless };
}

describe('defaults of the user', () => {
  it('start a loop with its agent, checks and limits; --quiet prints one line', async () => {
    const config = {
      version: 1,
      agentCommand: AGENT,
      checks: [{ name: 'done', exists: 'done' }],
      limits: { maxIterations: 7 },
    };
    const { user, tireless } = aConfigured(config);
    const shown = await tireless('run', 'goal', '--dry-run', '--max-cost', '3');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    for (const line of [
      `agent:   ${AGENT} (user)`,
      'iterations: 7 (user)',
      'cost: $3.00 (typed)',
      'running time: 4h (built-in)',
    ])
      expect(shown.stdout).toContain(line);
    expect(shown.stdout).toContain('```\ngoal\n```');
    expect([readdirSync(user.home), readdirSync(user.project)]).toEqual([[], []]);

    const ran = await tireless('run', 'goal', '--quiet');
    expect(ran).toEqual({
      code: 0,
      stderr: '',
      stdout: 'completed, verified (work tree only); 1 check passed: done\n',
    });
    const listed = JSON.parse((await tireless('list', '--json')).stdout) as { loops: unknown[] };
    expect(listed.loops).toMatchObject([
      { limits: { iterationsMax: 7 }, checks: [{ name: 'done', result: 'passed' }] },
    ]);
  });

  it.each<[string, unknown, string]>([
    [
      'an unknown key',
      '{\n  "version": 1,\n  "limits": { "maxIteration": 5 }\n}',
      'line 3: limits.maxIteration is not a key that this version knows. Did you mean maxIterations?',
    ],
    ['a wrong type', '{\n  "version": 1,\n\n  "agent": 5\n}', 'line 4: agent must be a string'],
    [
      'a wrong value',
      '{ "version": 1,\n "limits": {\n "idleTimeout": "2" } }',
      'line 3: limits.idleTimeout cannot be "2": it takes a duration',
    ],
    ['no JSON', '{\n  "version": 1,\n  "limits": \n}', 'line 4: it is not JSON'],
  ])('are refused with file, line and key for %s', async (_, config, message) => {
    const { file, user, tireless } = aConfigured(config);
    const { code, stderr } = await tireless('run', 'goal', '--agent-command', AGENT);
    expect(code).toBe(1);
    expect(stderr).toContain('CONFIG_INVALID');
    expect(stderr).toContain(`${file}, ${message}`);
    expect(readdirSync(user.home)).toEqual([]);
  });

  it('are refused where another user can write to them', async () => {
    const { file, tireless } = aConfigured({ version: 1 });
    chmodSync(file, 0o666);
    const { code, stderr } = await tireless('run', 'goal', '--agent-command', AGENT);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`chmod go-w ${file}`)]);
  });

  it('never stand in the way of an agent that stops: only /ralph reports a broken file', async () => {
    const { file, user, tireless } = aConfigured({ version: 1, limits: { maxIterations: 3 } });
    const env = { XDG_CONFIG_HOME: path.dirname(path.dirname(file)) };
    const start = ['start', 'goal', '--session', 's1', '--check-exists', 'x'];
    expect((await tireless(...start, '--dry-run')).stdout).toContain('iterations: 3 (user)');
    expect(readdirSync(user.home)).toEqual([]);
    expect((await tireless(...start)).stdout).toContain('of 3');
    writeFileSync(file, '{ broken');
    const say = async (payload: object) => {
      const stdin = JSON.stringify({ session_id: 's1', cwd: user.project, ...payload });
      return user.tireless(['hook', 'claude-code'], { stdin, env });
    };
    const stop = await say({ hook_event_name: 'Stop', last_assistant_message: 'one' });
    expect([stop.code, stop.stdout]).toEqual([0, expect.stringContaining('iteration 2')]);
    const typed = {
      hook_event_name: 'UserPromptExpansion',
      expansion_type: 'command',
      command_name: 'ralph',
      command_args: 'goal',
    };
    const refused = await say({ ...typed, session_id: 's2' });
    expect([refused.code, refused.stdout]).toEqual([0, expect.stringContaining('line 1: it is not JSON')]);
  });
});

describe('defaults of a project', () => {
  it('name an agent only after they are allowed', async () => {
    const files = {
      '.tireless/config.json': JSON.stringify({ version: 1, agentCommand: AGENT, finish: { claim: 'READY' } }),
    };
    const { tireless } = aConfigured({ version: 1, agentCommand: 'false' }, files);
    const refused = await tireless('run', 'goal', '--dry-run');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('CONFIG_NOT_ALLOWED')]);
    const allowed = await tireless('allow');
    expect(allowed.stdout).toContain(`agent: ${AGENT}`);
    const shown = await tireless('run', 'goal', '--dry-run');
    expect(shown.stdout).toContain(`agent:   ${AGENT} (project)`);
    expect(shown.stdout).toContain('the agent claims "READY"');
  });
});
