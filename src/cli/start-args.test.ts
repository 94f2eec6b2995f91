import { describe, expect, it } from 'vitest';
import { aProject } from '../../test/support/a-project.ts';
import { DEFAULT_LIMITS } from '../core/loop.ts';
import { NO_ITERATION_TIMEOUT_MS } from '../core/overdue.ts';
import { parseStartRequest } from './start-args.ts';
import type { World } from './services.ts';
import { splitTypedText } from './typed-args.ts';

const NASTY = 'say "hi", run `id` and $(rm -rf /), C:\\new\\"x\n\tnext line 🦊 ${HOME} {{GOAL}}';

const SESSION = { host: 'codex', id: 's1' };

/** Only the project is read: every other service fails. */
function aWorld(files: Readonly<Record<string, string>> = {}): World {
  const closed = (): never => {
    throw new Error('nobody needs it');
  };
  const output = { isTTY: false, columns: () => 80, write: closed };
  const services = { trust: closed } as unknown as World['services'];
  const stdin = { isTTY: false, chunks: closed };
  return { stdout: output, stderr: output, stdin, env: {}, cwd: aProject(files), services };
}

describe('a request to start a loop in a session', () => {
  it('has the goal byte for byte, no agent, finite limits and no timeout that nobody asked for', async () => {
    const world = aWorld();
    const { spec, cwd, allowMissingCheck } = await parseStartRequest(splitTypedText(`“${NASTY}”`), SESSION, world);
    expect({ cwd, allowMissingCheck }).toEqual({ cwd: world.cwd, allowMissingCheck: false });
    expect(spec).toMatchObject({ goal: NASTY, driver: 'session', limits: DEFAULT_LIMITS });
    expect(spec).not.toHaveProperty('agent');
    expect(spec.timing.iterationTimeoutMs).toBe(NO_ITERATION_TIMEOUT_MS);
  });

  it('takes the options of a loop, before and after the goal', async () => {
    const typed =
      '--check "npm test" --claim A "make it" --claim=B --max-iterations 7 --iteration-timeout 45m --allow-missing-check';
    const { spec, allowMissingCheck } = await parseStartRequest(splitTypedText(typed), SESSION, aWorld());
    expect(spec).toMatchObject({
      goal: 'make it',
      claim: { texts: ['A', 'B'] },
      claimRequired: true,
      checks: [{ name: 'npm test' }],
      limits: { iterationsMax: 7 },
      timing: { iterationTimeoutMs: 45 * 60 * 1000 },
    });
    expect(allowMissingCheck).toBe(true);
  });

  it('takes templates and lists of TODOs, whose tracker bears the id of the loop', async () => {
    const world = aWorld({
      'TODO.md': '- [ ] add tests\n- [x] read\n',
      '.tireless/templates/ours.md': 'Do {{GOAL}}.\n',
    });
    const templated = await parseStartRequest(splitTypedText('the cart --template ours'), SESSION, world);
    expect(templated.spec.goal).toBe('Do the cart.');
    const listed = await parseStartRequest(['--from-todos', `${world.cwd}/TODO.md`], SESSION, world);
    expect(listed.spec).toMatchObject({
      criteria: [{ text: 'add tests' }],
      tracker: `.tireless/tracker-${listed.loop}.md`,
    });
  });

  it.each([
    ['', 'The goal is empty'],
    ['-', 'The goal is empty'],
    ['make it --session s', 'the loop is for this session'],
    ['make it --host codex', 'the loop is for this session'],
    ['make it --dialect athena', 'the loop is for this session'],
    ['make it --json', 'the loop is for this session'],
    ['make it --agent-command x', 'Unknown flag --agent-command'],
    ['--help', '"tireless help start"'],
    ['make it --max-iterations 0', '--max-iterations'],
    ['make it --holdout true', 'tireless start "GOAL" --session s1 --host codex --holdout CMD'],
  ])('refuses %j, and reads nothing from stdin', async (typed, message) => {
    await expect(parseStartRequest(splitTypedText(typed), SESSION, aWorld())).rejects.toThrowError(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(message) as string }),
    );
  });
});
