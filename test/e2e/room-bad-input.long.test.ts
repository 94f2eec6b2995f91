/**
 * Projects and checks that are hard on the clean room. Each ends in a room that works, or in `work tree only` with the reason and what
 * helps: never in a crash, and an agent that edits the test is never accepted by the room.
 */
import { spawnSync } from 'node:child_process';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aProject, commitAll, git, put } from '../support/a-project.ts';
import type { Case } from '../support/room-case.ts';
import { CHEAT, HONEST, runCase, TEST, UNIT } from '../support/room-case.ts';
import type { User } from '../support/run-cli.ts';

const sh = (cwd: string, script: string): void => {
  const { status, stderr } = spawnSync('/bin/sh', ['-ec', script], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

function linkTests(user: User, target: string): void {
  const outside = path.join(aProject(), 'tests');
  renameSync(path.join(user.project, 'test'), outside);
  const relative = path.relative(user.project, outside);
  symlinkSync(target === 'relative' ? relative : outside, path.join(user.project, 'test'));
}

function withSubmodule({ project }: User, files: Readonly<Record<string, string>>): void {
  const sub = aProject(files);
  git(sub, 'init', '-q');
  commitAll(sub);
  git(project, 'init', '-q');
  git(project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'sub');
  commitAll(project);
}

/** The room works: honest work is proven there, and the edited test is not. */
const WORKS: Readonly<Record<string, Case>> = {
  'a check that writes into the tree': { check: () => `date > out.txt; date > test/stamp.txt; ${UNIT}` },
  'a check that writes into its dependencies': {
    make: ({ project }) => put(project, { 'node_modules/a/x': '1', 'package.json': '{"dependencies":{"a":"1"}}' }),
    check: () => `date +%N > node_modules/a/state; ${UNIT}`,
  },
  'a check that asks a service of this machine': {
    check: () =>
      `node -e "require('net').connect(9, '127.0.0.1').on('error', (e) => process.exit(e.code === 'ECONNREFUSED' ? 0 : 1))" && ${UNIT}`,
  },
  'a check that goes to the path of the project': { check: ({ project }) => `cd ${project} && ${UNIT}` },
  'a check that looks where it is': { check: ({ project }) => `[ "$PWD" = ${project} ] && ${UNIT}` },
  'a variable with the path of the project': {
    env: ({ project }) => ({ NODE_PATH: `${project}/src` }),
    check: () => `[ "$NODE_PATH" = "$PWD/src" ] && ${UNIT}`,
  },
  'a submodule': {
    git: (user) => withSubmodule(user, { 'lib.sh': 'exit 0\n' }),
    check: () => `sh sub/lib.sh && ${UNIT}`,
  },
  'tests in a submodule': {
    git: (user) => withSubmodule(user, { 'test/add.test.sh': TEST }),
    check: () => 'sh sub/test/add.test.sh',
    cheat: `echo 'echo 1..1; echo "ok 1 - adds"' > sub/test/add.test.sh`,
  },
  'a submodule that is not checked out': {
    git: (user) => {
      withSubmodule(user, { 'lib.sh': 'exit 0\n' });
      git(user.project, 'submodule', '--quiet', 'deinit', '-f', 'sub');
    },
  },
  'a repository inside': {
    make: ({ project }) => {
      put(project, { 'nested/lib.sh': 'exit 0\n' });
      git(path.join(project, 'nested'), 'init', '-q');
      commitAll(path.join(project, 'nested'));
    },
    check: () => `sh nested/lib.sh && ${UNIT}`,
  },
  'LFS without its program, and a file that it fetched': {
    git: ({ project }) => {
      put(project, { '.gitattributes': '*.bin filter=lfs -text\n' });
      git(project, 'init', '-q');
      commitAll(project);
      git(project, 'config', 'filter.lfs.clean', 'no-such-lfs clean');
      git(project, 'config', 'filter.lfs.required', 'true');
      put(project, { 'a.bin': 'real bytes' });
    },
    check: () => `grep -q real a.bin && ${UNIT}`,
  },
  'a sparse checkout': {
    git: ({ project }) => {
      put(project, { 'far/away.txt': '1' });
      git(project, 'init', '-q');
      commitAll(project);
      git(project, 'sparse-checkout', 'set', 'src', 'test');
    },
  },
  'a linked work tree, whose ignored files are listed elsewhere': {
    git: ({ project, home }) => {
      git(project, 'init', '-q');
      commitAll(project);
      put(project, { '.git/info/exclude': 'secret/\n' });
      git(project, 'worktree', 'add', '-q', path.join(path.dirname(home), `${path.basename(home)}-tree`));
      onTestFinished(() => void spawnSync('rm', ['-rf', `${home}-tree`]));
    },
    cwd: ({ home }) => `${home}-tree`,
    cheat: 'mkdir secret; echo 3 > secret/answer; echo "cat secret/answer" > src/add.sh',
  },
  "files that the user's own settings ignore": {
    env: ({ project }) => {
      const home = aProject({ '.ignored': 'secret/\n', '.gitconfig': '[core]\n\texcludesFile = ~/.ignored\n' });
      return { HOME: home, PWD: project };
    },
    cheat: 'mkdir secret; echo 3 > secret/answer; echo "cat secret/answer" > src/add.sh',
  },
  'a file that is tracked and ignored': {
    git: ({ project }) => {
      put(project, { 'ignored/lib.sh': 'exit 0\n' });
      git(project, 'init', '-q');
      git(project, 'add', '-f', 'ignored');
      commitAll(project);
    },
    check: () => `sh ignored/lib.sh && ${UNIT}`,
  },
  'no repository': { git: () => undefined },
  'a repository without a commit': { git: ({ project }) => void git(project, 'init', '-q') },
  'a damaged repository, and a lock in it': {
    git: ({ project }) => {
      git(project, 'init', '-q');
      commitAll(project);
      put(project, { '.git/HEAD': 'junk', '.git/index': 'junk', '.git/index.lock': '' });
    },
  },
  'a folder of tests that is a link to elsewhere': { make: (user) => linkTests(user, 'absolute') },
  'a folder of tests that is a relative link to elsewhere': { make: (user) => linkTests(user, 'relative') },
  'a folder of tests that is a link into an ignored folder': {
    make: ({ project }) => sh(project, 'mkdir ignored; mv test ignored/judging; ln -s ignored/judging test'),
  },
  'a folder of tests that is a link within the project': {
    make: ({ project }) => sh(project, 'mkdir impl; mv test impl/judging; ln -s impl/judging test'),
  },
  'links that lead to themselves': { make: ({ project }) => sh(project, 'ln -s loop loop; ln -s . self') },
  'file names with line ends and quotes': {
    make: ({ project }) => put(project, { 'a\nb "c".txt': 'x', 'test/x\ny': 'x' }),
    check: () => `[ -f 'a\nb "c".txt' ] && ${UNIT}`,
  },
  'pipes in the tree': {
    make: ({ project }) => {
      put(project, { 'node_modules/a/x': '1' });
      sh(project, 'mkfifo pipe test/pipe yarn.lock package.json');
    },
  },
  'a pipe and a link in a folder that is kept': {
    make: ({ project }) => sh(project, 'mkdir ignored; mkfifo ignored/pipe; echo 1 > ignored/x; ln -s x ignored/link'),
    check: () => `[ -f ignored/link ] && ${UNIT}`,
    flags: ['--room-keep', 'ignored'],
  },
  'a file that differs from the test only by case': {
    make: ({ project }) => put(project, { 'test/ADD.test.sh': 'exit 1\n' }),
    cheat: `mv test Test; mkdir test; ${CHEAT}`,
  },
  'line ends that git would turn': {
    git: ({ project }) => {
      put(project, { '.gitattributes': '* text=auto eol=crlf\n', 'data.txt': 'a\r\nb\n' });
      git(project, 'init', '-q');
      git(project, 'config', 'core.autocrlf', 'true');
      commitAll(project);
    },
    check: () => `[ "$(wc -c < data.txt | tr -d ' ')" = 5 ] && ${UNIT}`,
  },
  'no folder for temporary files': { env: () => ({ TMPDIR: '/nowhere/at/all' }) },
  'a home that is the project': { env: ({ project }) => ({ HOME: project }) },
};

describe('the clean room works with', () => {
  it.each(Object.entries(WORKS))('%s', { timeout: 120_000 }, async (_, what) => {
    const honest = await runCase(what, HONEST);
    expect(honest).toMatchObject({ code: 0, level: 'room', noRoom: null });
    const cheated = await runCase(what, what.cheat ?? CHEAT);
    expect(cheated).toMatchObject({ code: 4, level: null });
  });
});

/** The room does not suit the check, and the user reads why and what helps. An edited test makes the loop wait for a person. */
const UNFIT: Readonly<Record<string, Case & { readonly says: readonly string[] }>> = {
  'needs a built file': {
    make: ({ project }) => put(project, { 'ignored/built.sh': 'exit 0\n' }),
    check: () => `sh ignored/built.sh || exit 3; ${UNIT}`,
    says: ['git ignores ignored/: try --room-keep ignored/, or --room-setup'],
  },
  'needs the repository': {
    check: () => `git rev-parse HEAD >/dev/null && ${UNIT}`,
    says: ['the clean room is not a git repository: try --room-setup "git init -q'],
  },
  'goes to the project by another name': {
    make: ({ project, env }) => symlinkSync(project, path.join(env['HOME'] ?? '', 'shop')),
    check: () => `cd ~/shop && ${UNIT}`,
    says: ['(its command points back into the project)', 'use relative paths in the command'],
  },
  'calls a script that goes to the project': {
    make: ({ project }) => put(project, { 'verify.sh': `cd ${project} && ${UNIT}\n` }),
    check: () => 'sh verify.sh',
    says: ['(verify.sh points back into the project)', 'use relative paths in that file'],
  },
  'calls a script outside': {
    check: ({ project }) => {
      writeFileSync(`${project}-verify.sh`, `${UNIT}\n`);
      onTestFinished(() => void spawnSync('rm', ['-f', `${project}-verify.sh`]));
      return `sh ../${path.basename(project)}-verify.sh`;
    },
    says: ['--room-setup', '--no-room'],
  },
  'takes too long there': {
    check: () => `${UNIT}; code=$?; case $PWD in */rooms/*) sleep 60 ;; esac; exit $code`,
    flags: ['--check-timeout', '3s'],
    says: ['(it timed out there)', 'try a longer --check-timeout'],
  },
};

describe('the clean room does not work for a check that', () => {
  it.each(Object.entries(UNFIT))('%s', { timeout: 120_000 }, async (_, what) => {
    const honest = await runCase(what, HONEST);
    expect(honest).toMatchObject({ code: 0, level: 'tree', noRoom: 'it does not work for "unit"' });
    for (const text of what.says) expect(honest.stderr).toContain(text);
    expect(await runCase(what, CHEAT)).toMatchObject({ code: 4, level: null });
  });
});
