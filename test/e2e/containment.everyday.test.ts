import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../support/a-project.ts';
import { NO_NAMESPACE, NO_WALLS } from '../support/cells.ts';
import { until } from '../support/fake-agents.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const DONE = "echo '<promise>DONE</promise>'";

/** Left its session, its parent and its environment: only its command line still tells who it is. */
function daemon(user: User, name: string): string {
  const script = `${path.basename(user.home)}-${name}.sh`;
  const file = path.join(aProject({ [script]: 'while :; do echo beat >> "$1"; sleep 0.05; done\n' }), script);
  const beats = path.join(user.project, name);
  return `(setsid env -i /bin/sh '${file}' '${beats}' >/dev/null 2>&1 </dev/null &) ; until [ -s '${beats}' ]; do :; done`;
}

function isAlive(user: User, name: string): boolean {
  const mark = `${path.basename(user.home)}-${name}.sh`;
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/u.test(entry));
  return pids.some((pid) => commandLineOf(pid).includes(mark));
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const read = (user: User, name: string): string => readFileSync(path.join(user.project, name), 'utf8');

describe.skipIf(NO_NAMESPACE !== null)(
  `containment${NO_NAMESPACE === null ? '' : ` (skipped: ${NO_NAMESPACE})`}`,
  () => {
    it('ends daemons of agent and check that no net would catch', async () => {
      const user = aUser();
      const { code } = await user.tireless([
        'run',
        'goal',
        '--agent-command',
        `cat >/dev/null; ${daemon(user, 'of-agent')}; ${DONE}`,
        '--check',
        `[ -e of-agent ] || exit 1; ${daemon(user, 'of-check')}`,
        '--no-room',
      ]);
      expect(code).toBe(0);
      expect(['of-agent', 'of-check'].map((name) => existsSync(path.join(user.project, name)))).toEqual([true, true]);
      expect(['of-agent', 'of-check'].map((name) => isAlive(user, name))).toEqual([false, false]);
    });

    it('ends them when tireless itself is killed with -9', async () => {
      const user = aUser();
      const running = user.starts(['run', 'goal', '--agent-command', `${daemon(user, 'beats')}; sleep 60`]);
      await until(() => existsSync(path.join(user.project, 'beats')));
      expect(isAlive(user, 'beats')).toBe(true);
      running.child.kill('SIGKILL');
      await until(() => !isAlive(user, 'beats'));
    });

    it('ends them when an iteration takes too long', async () => {
      const user = aUser();
      const agent = `${daemon(user, 'beats')}; sleep 60`;
      const args = ['run', 'goal', '--agent-command', agent, '--iteration-timeout', '3s', '--max-iterations', '1'];
      const { stdout } = await user.tireless(args);
      expect(stdout).toContain('halted');
      expect(isAlive(user, 'beats')).toBe(false);
    });

    it('is left out with --no-contain', async () => {
      const user = aUser();
      const agent = `echo "$PPID" >> parents; ${DONE}`;
      await user.tireless(['run', 'goal', '--agent-command', agent]);
      await user.tireless(['run', 'goal', '--agent-command', agent, '--no-contain']);
      const [inside, outside] = read(user, 'parents').trim().split('\n');
      expect(inside).toBe('1');
      expect(outside).not.toBe('1');
    });
  },
);

describe.skipIf(NO_WALLS !== null)(`--sandbox${NO_WALLS === null ? '' : ` (skipped: ${NO_WALLS})`}`, () => {
  const TEST =
    "require('node:test')('adds', () => { require('node:assert').equal(require('../sum.js')(2, 3), 5); });\n";
  const FILES = { 'package.json': '{"scripts":{"test":"node --test"}}', 'test/sum.test.js': TEST };

  it("keeps loops, hold-outs and the judge's files from the agent, and nothing else", async () => {
    const user = aUser(FILES);
    const agent = [
      'cat >/dev/null',
      `{ ls -A "$TIRELESS_HOME"; grep -r sec""ret "$TIRELESS_HOME"; echo x > "$TIRELESS_HOME/x"; } > seen 2>&1`,
      'echo "// empty" > test/sum.test.js; rm -f test/sum.test.js',
      'echo "module.exports = (a, b) => a + b;" > sum.js',
      'echo "// more" > test/more.test.js',
      'ps ax -o args= > list',
      DONE,
    ].join('; ');
    const { code, stdout } = await user.tireless([
      'run',
      'goal',
      '--sandbox',
      '--agent-command',
      agent,
      '--check',
      'npm test',
      '--holdout',
      'echo secret-holdout; node -e "process.exit(require(\'./sum.js\')(1, 1) === 2 ? 0 : 1)"',
    ]);
    expect(stdout).toContain('completed, verified');
    expect(code).toBe(0);
    expect(read(user, 'test/sum.test.js')).toBe(TEST);
    expect(read(user, 'seen')).not.toContain('secret');
    expect(read(user, 'seen')).toContain('Read-only file system');
    expect(read(user, 'list')).not.toContain('secret');
    expect(existsSync(path.join(user.home, 'x'))).toBe(false);
    expect(existsSync(path.join(user.project, 'test/more.test.js'))).toBe(true);
  });

  it('stays when the loop is resumed', async () => {
    const user = aUser(FILES);
    const agent = 'cat >/dev/null; ls -A "$TIRELESS_HOME" | wc -l >> seen';
    await user.tireless(['run', 'goal', '--sandbox', '--agent-command', agent, '--max-iterations', '1']);
    await user.tireless(['resume', '--max-iterations', '2']);
    expect(read(user, 'seen').split(/\s+/u).filter(Boolean)).toEqual(['0', '0']);
  });

  it('is refused where the project lies inside of the hidden folder', async () => {
    const user = aUser();
    const cwd = path.join(user.home, 'project');
    mkdirSync(cwd);
    const { code, stderr } = await user.tireless(['run', 'goal', '--sandbox', '--agent-command', 'touch started'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBOX_UNAVAILABLE');
    expect(existsSync(path.join(cwd, 'started'))).toBe(false);
  });
});

/** What the shell does first: the programs cannot be found in there. Where a machine has no bwrap, only that one is missing. */
function hiding(...names: readonly string[]): string {
  if (NO_WALLS !== null) return ':';
  const covers = names.map((name) => `--dev-bind /dev/null "$(readlink -f "$(command -v ${name})")"`);
  return `exec bwrap --dev-bind / / ${covers.join(' ')} -- "$0" "$@"`;
}

describe('--sandbox without bwrap', () => {
  it('is refused before a loop exists', async () => {
    const user = aUser();
    const args = ['run', 'goal', '--sandbox', '--agent-command', 'touch started'];
    const { code, stderr } = await user.tireless(args, { after: hiding('bwrap') });
    expect(stderr).toContain('SANDBOX_UNAVAILABLE');
    expect(stderr).toContain('bubblewrap');
    expect(code).toBe(1);
    expect(readdirSync(user.project)).toEqual([]);
    expect((await user.tireless(['list'])).stdout).not.toContain('goal');
  });

  it('is refused together with --no-contain', async () => {
    const args = ['run', 'goal', '--sandbox', '--no-contain', '--agent-command', 'true'];
    expect(await aUser().tireless(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('USAGE') as string });
  });
});

describe.skipIf(NO_WALLS !== null)('a machine without namespaces', () => {
  it('runs loops as ever, and the doctor says what is missing', async () => {
    const user = aUser();
    const after = hiding('unshare', 'bwrap');
    const agent = `echo "$PPID" > parent; ${DONE}`;
    const ran = await user.tireless(['run', 'goal', '--agent-command', agent, '--check', 'test -s parent'], { after });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(read(user, 'parent')).not.toBe('1\n');
    const { stdout } = await user.tireless(['doctor', 'claude-code', '--no-start'], { after });
    expect(stdout).toContain('neither unshare nor bwrap');
    expect(stdout).toMatch(/sandbox +not available/u);
  });
});
