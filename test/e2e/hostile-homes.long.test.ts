import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeIn, expectNothingLost, idIn } from '../support/fake-agents/watch.ts';
import { aUser } from '../support/run-cli.ts';
import type { User } from '../support/run-cli.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const AGENT = ['run', 'goal', '--agent-command', 'cat >/dev/null; echo x >> log'];
/** Permissions do not bind root; whoever is nobody they do. */
const AS_NOBODY = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
const canRead = spawnSync([...AS_NOBODY, 'test', '-r', CLI].join(' '), { shell: true }).status === 0;
const isPosix = process.platform !== 'win32';

type Shelled = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** `$TIRELESS` in the script is the command line; limits and rights set there hold for it. */
function shell(user: User, script: string, prefix: readonly string[] = []): Shelled {
  const env = { ...user.env, TIRELESS: `${process.execPath} ${CLI}` };
  const [program = '', ...rest]: readonly string[] = [...prefix, 'sh', '-c', script];
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd: user.project, env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

describe.runIf(isPosix)('a home that takes no more', () => {
  it('stops the loop with the reason, loses nothing, and the loop continues once there is room', async () => {
    const user = aUser();
    // A limit on the size of a file: what a full disk answers, without the right to mount one.
    const full = shell(
      user,
      `ulimit -f 24; exec $TIRELESS run goal --agent-command 'cat >/dev/null; echo x >> log; head -c 3000 /dev/zero | tr "\\0" y' --check 'cat log; false' --max-iterations 30 --max-no-progress unlimited`,
    );
    expect(full.code).toBe(1);
    expect(codeIn(full)).toBe('STORE_FULL');
    expect(full.stderr).toContain('Free some space');
    const id = idIn(full.stdout);
    expect(full.stderr).toContain(`continue with: tireless resume ${id}`);
    await expectNothingLost(user, id);
    const before = (await user.tireless(['status', id])).stdout;
    const counted = Number(/iteration: (\d+) of 30/u.exec(before)?.[1]);
    expect(counted).toBeGreaterThan(1);

    const resumed = await user.tireless(['resume', id, '--max-iterations', String(counted + 1)]);
    expect(resumed.code).toBe(3);
    expect(resumed.stdout).toContain(`iteration ${counted} of ${counted + 1}`);
    await expectNothingLost(user, id);
  });

  it('starts nothing when not even the first entry can be written', () => {
    const user = aUser();
    const { code, stderr } = shell(user, `ulimit -f 0; exec $TIRELESS ${AGENT.slice(0, 3).join(' ')} 'touch ran'`);
    expect(code).toBe(1);
    expect(codeIn({ stderr })).toBe('STORE_FULL');
    expect(existsSync(path.join(user.project, 'ran'))).toBe(false);
  });
});

describe.runIf(isPosix && canRead)('a home of somebody else', () => {
  it.each([
    ['run', `run goal --agent-command 'touch ran'`, 'STORE_UNREADABLE'],
    ['status', 'status', 'STORE_UNREADABLE'],
    ['resume', 'resume', 'STORE_UNREADABLE'],
    ['explain', 'explain', 'STORE_UNREADABLE'],
  ])('is refused by %s, with what to do about it', (_, command, fault) => {
    const user = aUser();
    chmodSync(user.project, 0o777);
    chmodSync(user.home, AS_NOBODY.length > 0 ? 0o700 : 0o000);
    const refused = shell(user, `exec $TIRELESS ${command}`, AS_NOBODY);
    chmodSync(user.home, 0o700);
    expect(refused.code).toBe(1);
    expect(codeIn(refused)).toBe(fault);
    expect(refused.stderr).toContain('Give your user access to it, or set TIRELESS_HOME to your own directory.');
    expect(readdirSync(user.project)).toEqual([]);
  });
});

describe.runIf(existsSync('/proc/self'))('a home where no directory can be made', () => {
  it('is refused, not waited for', async () => {
    const refused = await aUser().tireless(AGENT, { env: { TIRELESS_HOME: '/proc/tireless' } });
    expect(refused.code).toBe(1);
    expect(codeIn(refused)).toBe('STORE_UNWRITABLE');
    expect(refused.stderr).toContain('set TIRELESS_HOME to another directory');
  });
});

describe('a damaged journal', () => {
  it.each<[string, (journal: string) => void, string]>([
    [
      'edited',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"goal":"goal"', '"goal":"gaol"')),
      'JOURNAL_BROKEN',
    ],
    ['cut short', (file) => truncateSync(file, readFileSync(file, 'utf8').lastIndexOf('{"v"')), 'JOURNAL_TRUNCATED'],
    ['emptied', (file) => truncateSync(file, 0), 'JOURNAL_TRUNCATED'],
    ['turned into garbage', (file) => writeFileSync(file, Buffer.alloc(50_000, 0xfe)), 'JOURNAL_BROKEN'],
    [
      'continued by a newer version',
      (file) => appendFileSync(file, '\n{"v":2,"revision":9}\n'),
      'JOURNAL_VERSION_UNKNOWN',
    ],
  ])(
    'is named by every command, with what to do about it, and left as it is when it was %s',
    async (_, damage, fault) => {
      const user = aUser();
      const { stdout } = await user.tireless([...AGENT, '--max-iterations', '1']);
      const id = idIn(stdout);
      const journal = path.join(user.home, 'loops', id, 'journal.jsonl');
      damage(journal);
      const bytes = readFileSync(journal);
      const commands = [['status'], ['resume'], ['explain'], ['replay'], ['pause'], ['cancel'], ['steer', 'hello']];
      const refusals = await Promise.all(commands.map(([name = '', ...text]) => user.tireless([name, id, ...text])));
      for (const refused of refusals) {
        expect({ code: refused.code, fault: codeIn(refused) }).toEqual({ code: 1, fault });
        expect(refused.stderr).toContain(journal);
        expect(refused.stderr).toMatch(/Restore the file|restore the file|Update tireless/u);
      }
      expect(readFileSync(journal)).toEqual(bytes);
    },
  );

  it('gets no message that was meant for it to another loop', async () => {
    const user = aUser();
    const { stdout } = await user.tireless([...AGENT, '--max-iterations', '1']);
    const other = await user.tireless([
      'run',
      'other',
      '--agent-command',
      `cat >/dev/null; echo '<blocked>x</blocked>'`,
    ]);
    writeFileSync(path.join(user.home, 'loops', idIn(stdout), 'journal.jsonl'), 'garbage\n');
    expect(codeIn(await user.tireless(['steer', idIn(stdout), 'drop the table']))).toBe('JOURNAL_TRUNCATED');
    expect(codeIn(await user.tireless(['steer', '261115-0000-nosuch', 'drop the table']))).toBe('LOOP_NOT_FOUND');
    expect((await user.tireless(['explain', idIn(other.stdout)])).stdout).not.toContain('drop the table');
  });
});
