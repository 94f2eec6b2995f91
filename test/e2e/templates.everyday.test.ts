import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/run-cli.ts';

/** Keeps its prompt, and says the words that claim a bug is fixed. */
const AGENT = ['--agent-command', 'cat > prompt.txt; echo "<promise>Root cause identified and fixed</promise>"'];
const OURS = { '.tireless/templates/ours.md': '# Our way\n\nBuild {{GOAL}} the way we do.\n' };

const promptOf = (project: string): string => readFileSync(path.join(project, 'prompt.txt'), 'utf8');

describe('tireless run --template', () => {
  it('puts the goal into a built-in template, with its claim and its maximum', async () => {
    const user = aUser();
    const ran = await user.tireless(['run', '--template', 'debug', "$& {{INPUT}} $'", ...AGENT]);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('iteration 1 of 12');
    expect(promptOf(user.project)).toContain("Find and fix: $& {{INPUT}} $'\n- Reproduce it");
  });

  it('lets the typed flags win, and completes by the checks', async () => {
    const user = aUser();
    const typed = ['--claim', 'never said', '--max-iterations', '2'];
    const halted = await user.tireless(['run', '--template', 'debug', 'it', ...AGENT, ...typed]);
    expect(halted.code).toBe(3);
    expect(halted.stdout).toContain('iteration 2 of 2');
    const checked = ['--agent-command', 'cat > done.txt', '--check-exists', 'done.txt'];
    expect((await user.tireless(['run', '--template', 'debug', 'it', ...checked])).code).toBe(0);
  });

  it("takes a project's own template, with the goal from stdin", async () => {
    const user = aUser(OURS);
    const done = ['--agent-command', 'cat > prompt.txt; echo "<promise>DONE</promise>"'];
    expect((await user.tireless(['run', '--template', 'ours', ...done], { stdin: 'a cart\n' })).code).toBe(0);
    expect(promptOf(user.project)).toContain('Build a cart the way we do.');
  });

  it.each([
    ['no-such', 'There is no template "no-such". Use one of ours, fix-tests, feature'],
    ['../ours', 'it must be a plain name, without a folder'],
  ])('refuses %s and lists the known ones', async (name, message) => {
    const user = aUser(OURS);
    const ran = await user.tireless(['run', '--template', name, 'goal', ...AGENT]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
  });
});

describe('tireless templates', () => {
  it('lists those of the project and the built-in ones, a line each', async () => {
    const { code, stdout } = await aUser(OURS).tireless(['templates']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ours {7}project {3}Our way\nfix-tests {2}built-in {2}Run the tests until they pass\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(6);
  });

  it('prints the text of one, which can be saved as a template, and JSON', async () => {
    const user = aUser(OURS);
    expect((await user.tireless(['templates', 'feature'])).stdout).toMatch(/^Implement: \{\{GOAL\}\}\n- Split/);
    expect(JSON.parse((await user.tireless(['templates', 'ours', '--json'])).stdout)).toMatchObject({
      name: 'ours',
      from: 'project',
    });
    expect(JSON.parse((await user.tireless(['templates', '--json'])).stdout)).toMatchObject({
      templates: [{ name: 'ours' }, { name: 'fix-tests', iterationsMax: 15 }, {}, {}, {}, {}],
    });
  });
});
