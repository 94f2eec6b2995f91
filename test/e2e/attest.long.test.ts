import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src/views/attestation.ts';
import { aProject, commitAll, git, put } from '../support/a-project.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const PROJECT = {
  'src/add.sh': 'echo $(($1 - $2))\n',
  'test/add.test.sh':
    'echo "1..1"; [ "$(sh src/add.sh 1 2)" = 3 ] && echo "ok 1 - adds" || { echo "not ok 1 - adds"; exit 1; }\n',
};
const AGENT = `cat >/dev/null; echo 'echo $(($1 + $2))' > src/add.sh`;

async function aProvenLoop(): Promise<{ readonly user: User; readonly loop: string }> {
  const user = aUser(PROJECT);
  git(user.project, 'init', '-q');
  commitAll(user.project);
  const checks = ['--check', 'unit:: sh test/add.test.sh', '--holdout', 'grep -q + src/add.sh'];
  const { code, stdout } = await user.tireless(['run', 'goal', '--agent-command', AGENT, ...checks, '--json']);
  expect(code).toBe(0);
  return { user, loop: (JSON.parse(stdout) as { id: string }).id };
}

const statementIn = (user: User): Statement =>
  JSON.parse(readFileSync(path.join(user.project, 'proof.json'), 'utf8')) as Statement;

describe('tireless report --attest', () => {
  it('is an in-toto statement about the commit that holds the judged work, and holds for its checkout', async () => {
    const { user, loop } = await aProvenLoop();
    commitAll(user.project);
    const commit = git(user.project, 'rev-parse', 'HEAD').trim();
    const { code, stdout } = await user.tireless(['report', '--attest', 'proof.json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `wrote proof.json: PASSED, commit ${commit}\n` });
    const statement = statementIn(user);
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ digest: { gitCommit: commit } }],
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: {
        result: 'PASSED',
        configuration: [{ digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown } }],
        passedTests: ['unit', 'hold-out 1'],
        warnedTests: [],
        failedTests: [],
        tireless: { loop, level: 'room', checks: [{ name: 'unit', tests: { ran: 1 }, before: { ran: 1 } }, {}] },
      },
    });
    expect(JSON.stringify(statement)).not.toContain('grep');
    const held = await user.tireless(['verify', '--attestation', 'proof.json']);
    expect(held.stdout).toContain('proof.json: matches this checkout');
    expect(held.stdout).toContain('contains the named entry');
    expect(held.code).toBe(0);
    // Another machine, another clone.
    const clone = aProject();
    git(clone, 'clone', '-q', user.project, 'shop');
    put(clone, { 'proof.json': readFileSync(path.join(user.project, 'proof.json'), 'utf8') });
    const there = await aUser().tireless(['verify', '--attestation', '../proof.json'], {
      cwd: path.join(clone, 'shop'),
    });
    expect(there.stdout).toContain('is not on this machine');
    expect(there.code).toBe(0);
    put(user.project, { 'src/add.sh': 'echo 3\n' });
    const changed = await user.tireless(['verify', '--attestation', 'proof.json', '--json']);
    expect(JSON.parse(changed.stdout)).toMatchObject({ holds: false, isSame: false, journal: 'contains' });
    expect(changed.code).toBe(1);
  });

  it('speaks of the hash of the work where no commit holds it, and is not believed when it was edited', async () => {
    const { user } = await aProvenLoop();
    const shown = await user.tireless(['report']);
    expect(shown.stdout).toContain('verified:  clean room');
    const before = await user.tireless(['report', '--attest', '-']);
    await user.tireless(['report', '--attest', 'proof.json']);
    const statement = statementIn(user);
    expect(JSON.parse(before.stdout)).toEqual(statement);
    expect(statement.subject).toMatchObject([{ digest: { sha256: statement.predicate.tireless.work } }]);
    expect((await user.tireless(['verify', '--attestation', 'proof.json'])).code).toBe(0);
    const { tireless } = statement.predicate;
    const edited = { ...tireless, journal: { ...tireless.journal, head: '0'.repeat(64) } };
    writeFileSync(
      path.join(user.project, 'proof.json'),
      JSON.stringify({ ...statement, predicate: { ...statement.predicate, tireless: edited } }),
    );
    const differs = await user.tireless(['verify', '--attestation', 'proof.json']);
    expect(differs.code).toBe(1);
    expect(differs.stdout).toContain('does not contain the named entry');
    put(user.project, { 'proof.json': '{}' });
    expect((await user.tireless(['verify', '--attestation', 'proof.json'])).code).toBe(2);
    expect((await user.tireless(['verify', '--attestation', 'gone.json'])).code).toBe(2);
    expect((await user.tireless(['verify', '--attestation', 'proof.json', '--ref', 'HEAD'])).code).toBe(2);
  });

  it('has nothing to say about a loop that no clean room has judged', async () => {
    const user = aUser(PROJECT);
    await user.tireless([
      'run',
      'goal',
      '--agent-command',
      'cat >/dev/null',
      '--check',
      'false',
      '--max-iterations',
      '1',
    ]);
    const { code, stderr } = await user.tireless(['report']);
    expect(code).toBe(1);
    expect(stderr).toContain('The clean room has not judged loop');
  });
});
