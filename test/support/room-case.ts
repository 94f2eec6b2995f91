import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { aProject, commitAll, git } from './a-project.ts';
import type { User } from './run-cli.ts';
import { aUser } from './run-cli.ts';

export const TEST =
  'echo 1..1; [ "$(sh src/add.sh 1 2)" = 3 ] && echo "ok 1 - adds" || { echo "not ok 1 - adds"; exit 1; }\n';
export const SHOP = { 'src/add.sh': 'echo $(($1 - $2))\n', 'test/add.test.sh': TEST, '.gitignore': 'ignored/\n' };
export const UNIT = 'sh test/add.test.sh';
export const HONEST = `echo 'echo $(($1 + $2))' > src/add.sh`;
export const CHEAT = `echo 'echo 1..1; echo "ok 1 - adds"' > test/add.test.sh`;

export type Case = {
  /** The user's project before it is committed; `git` = it commits itself. */
  readonly make?: (user: User) => void;
  readonly git?: (user: User) => void;
  readonly check?: (user: User) => string;
  readonly flags?: readonly string[];
  readonly env?: (user: User) => Readonly<Record<string, string>>;
  readonly cwd?: (user: User) => string;
  readonly cheat?: string;
};

export type Ending = {
  readonly code: number | null;
  readonly stderr: string;
  readonly level: string | null;
  readonly noRoom: string | null;
};

export async function runCase(what: Case, agent: string): Promise<Ending> {
  const user = aUser(SHOP);
  what.make?.(user);
  if (what.git === undefined) {
    git(user.project, 'init', '-q');
    commitAll(user.project);
  } else what.git(user);
  const script = path.join(aProject(), 'agent.sh');
  writeFileSync(script, `cat >/dev/null\n${agent}\n`);
  const check = ['--check', `unit:: ${what.check?.(user) ?? UNIT}`];
  const { code, stdout, stderr } = await user.tireless(
    [
      'run',
      'goal',
      '--agent-command',
      `sh ${script}`,
      '--max-iterations',
      '2',
      '--json',
      ...check,
      ...(what.flags ?? []),
    ],
    { cwd: what.cwd?.(user) ?? user.project, env: what.env?.(user) ?? {} },
  );
  const rooms = path.join(user.home, 'rooms');
  expect(existsSync(rooms) ? readdirSync(rooms) : []).toEqual([]);
  const { outcome } = JSON.parse(stdout) as { outcome: { level?: string | null; noRoom?: string | null } | null };
  return { code, stderr, level: outcome?.level ?? null, noRoom: outcome?.noRoom ?? null };
}
