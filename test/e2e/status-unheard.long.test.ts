/** Hooks or marks that vanish under a running loop. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { put } from '../support/a-project.ts';
import { aPerson } from '../support/install-suite.ts';

it('status says that no stops arrive when the hooks or the mark of a running loop are gone, and what helps', async () => {
  const person = aPerson({ '.claude/settings.json': '{}' });
  expect((await person.tireless(['install', 'claude-code', '--yes'])).code).toBe(0);
  expect((await person.tireless(['start', 'paint the shed', '--session', 's1'])).code).toBe(0);
  expect((await person.tireless(['status'])).stdout).not.toContain('no stops arrive');
  put(person.home, { '.claude/settings.json': '{}' });
  expect((await person.tireless(['status'])).stdout).toMatch(
    /no stops arrive: .*its hooks are missing from \S*\/\.claude\/settings\.json; tireless install claude-code --yes/u,
  );
  expect((await person.tireless(['install', 'claude-code', '--yes'])).code).toBe(0);
  const marks = path.join(person.kept, 'armed/claude-code');
  for (const name of readdirSync(marks)) rmSync(path.join(marks, name));
  expect((await person.tireless(['status'])).stdout).toMatch(
    /no stops arrive: the mark that wakes its hook is missing .* in its session: \/ralph --resume \w/u,
  );
});

it('status names the file and what helps when the hooks that came with a loop are gone', async () => {
  const person = aPerson({ '.claude/settings.json': '{}' });
  expect((await person.tireless(['install', 'claude-code', '--on-demand', '--yes'])).code).toBe(0);
  expect((await person.tireless(['start', 'paint the shed', '--session', 's1'])).code).toBe(0);
  rmSync(path.join(person.project, '.claude'), { recursive: true });
  expect((await person.tireless(['status'])).stdout).toMatch(
    /no stops arrive: .* missing from \S*\/\.claude\/settings\.local\.json; restore it in its session: \/ralph --resume \w/u,
  );
});
