/** `tireless start --dialect`: the state file of every dialect from a template and from TODOs, and then its hook. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { turnsAllowed } from '../../src/dialects/counting.ts';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { openFileStore } from '../../src/stores/file-store.ts';
import { put } from '../support/a-project.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

type Written = {
  readonly file: string;
  readonly kept: string | null;
  readonly goal: string;
  readonly claims: readonly string[];
  readonly criteria: readonly string[];
  readonly iterationsMax: number;
  readonly prompt: string;
};

const TODOS = JSON.stringify([
  { content: 'add tests', status: 'pending' },
  { content: 'fix the parser', status: 'in_progress' },
  { content: 'read the code', status: 'completed' },
]);

async function write(user: User, args: readonly string[]): Promise<Written> {
  const { code, stdout, stderr } = await user.tireless(['start', ...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Written;
}

function hookOf(user: User, dialect: string, ...more: readonly string[]) {
  return async (message: string): Promise<boolean> => {
    const { code, stdout, stderr } = await user.tireless(
      ['hook', 'claude-code', '--dialect', dialect, '--reply', 'json', ...more],
      { stdin: aStop(user.project, message), env: { CLAUDE_PROJECT_DIR: user.project } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return (JSON.parse(stdout) as { decision?: string }).decision === 'block';
  };
}

/** The agent says that it is done, in the words and the place that the document asks for. */
function prove(user: User, { file, claims }: Written): string {
  const full = path.join(user.project, file);
  const [claim = ''] = claims;
  const text = readFileSync(full, 'utf8');
  if (file.endsWith('loop-tracker.md')) writeFileSync(full, `${text}\n${claim}\n`);
  if (file === '.loop/state.json') writeFileSync(full, text.replaceAll(': false', ': true'));
  return file === '.loop/state.json' ? claim : `It is so: ${claim}\n<promise>${claim}</promise>`;
}

/** One document has words of its own; the others take those of the loop. */
function claimsOf(dialect: string, claim: string): readonly string[] {
  return dialect === 'loop-mechanics' ? ['<loop-complete>', '<loop-complete/>', '<loop-complete />'] : [claim];
}

describe.each(DIALECT_NAMES)('tireless start --dialect %s', (dialect) => {
  it('writes a loop from a template, which its hook continues with and a claim completes', async () => {
    const user = aUser();
    const written = await write(user, ['the "cart" $(id) 🦊', '--dialect', dialect, '--template', 'fix-tests']);
    expect(written).toMatchObject({ iterationsMax: 15, kept: null });
    expect(written.prompt).toMatch(/^Fix the failing tests: the "cart" \$\(id\) 🦊\n- Run the tests\n/);
    expect(written.claims).toEqual(claimsOf(dialect, 'All tests passing'));
    expect((await user.tireless(['list', '--json'])).stdout).toContain('"loops":[]');
    const stop = hookOf(user, dialect, '--iteration-timeout', '45m');
    expect(await stop('not yet')).toBe(true);
    expect(await stop(prove(user, written))).toBe(false);

    const store = openFileStore({ home: user.home });
    const [loaded, ...more] = store.list({ ended: true });
    store.close();
    expect(more).toEqual([]);
    expect(loaded).toMatchObject({
      spec: { dialect: { name: dialect, file: written.file }, timing: { iterationTimeoutMs: 45 * 60 * 1000 } },
      state: {
        status: 'completed',
        counted: 2,
        limits: { iterationsMax: turnsAllowed(15, DIALECTS[dialect].counting) },
      },
    });
    const loop = loaded?.state.loop ?? '';
    const [history, explained, replayed] = await Promise.all(
      ['history', 'explain', 'replay'].map((name) => user.tireless(name === 'history' ? [name] : [name, loop])),
    );
    expect(history).toMatchObject({ code: 0, stdout: expect.stringContaining(loop) as string });
    expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining('completed') as string });
    expect(replayed?.code).toBe(0);
  });

  it('writes the number that was asked for, or the default of the document, and says the same', async () => {
    const { counting, maxIterationsDefault } = DIALECTS[dialect];
    for (const [asked, number] of [
      [['--max-iterations', '7'], 7],
      [['--max-iterations', '1'], 1],
      [[], maxIterationsDefault],
    ] as const) {
      const user = aUser();
      const written = await write(user, ['make it', '--dialect', dialect, ...asked]);
      const text = readFileSync(path.join(user.project, written.file), 'utf8');
      expect(Number(/max_?iterations"?: (\d+)/iu.exec(text)?.[1])).toBe(number);
      expect(written.iterationsMax).toBe(number);
      if (number !== 7) continue;
      const stop = hookOf(user, dialect);
      let turns = 1;
      while (await stop(`turn ${turns}`)) turns += 1;
      expect(turns).toBe(turnsAllowed(7, counting));
    }
  });

  const FROM_TODOS = ['--dialect', dialect, '--from-todos', 'todos.json', '--max-iterations', '3'];
  const FOR_SESSION = [...FROM_TODOS, '--session', 'session-1'];

  it('writes a loop from TODOs for its session, which its hook continues with and a claim completes', async () => {
    const user = aUser({ 'todos.json': TODOS });
    const written = await write(user, FOR_SESSION);
    expect(written.iterationsMax).toBe(3);
    expect(written.prompt).toContain('- fix the parser\n- add tests');
    expect(written.claims).toEqual(claimsOf(dialect, 'All TODOs complete'));
    expect(written.criteria).toEqual(dialect === 'loop-mechanics' ? ['fix the parser', 'add tests'] : []);
    const stop = hookOf(user, dialect);
    expect(await stop('not yet')).toBe(true);
    expect(await stop(prove(user, written))).toBe(false);
    expect((await write(user, FOR_SESSION)).iterationsMax).toBe(3);
  });

  it('belongs to the session it was started for, with the checks of its hook', async () => {
    const user = aUser();
    const written = await write(user, ['make it', '--dialect', dialect, '--session', 'session-1']);
    const full = path.join(user.project, written.file);
    const text = readFileSync(full, 'utf8');
    const stop = async (session: string, message: string): Promise<boolean> => {
      const { stdout } = await user.tireless(
        ['hook', 'claude-code', '--dialect', dialect, '--reply', 'json', '--check', 'test -f done.txt'],
        {
          stdin: aStop(user.project, message, { session_id: session }),
          env: { CLAUDE_PROJECT_DIR: user.project },
        },
      );
      return (JSON.parse(stdout) as { decision?: string }).decision === 'block';
    };
    expect(await stop('session-2', 'hello')).toBe(false);
    expect(readFileSync(full, 'utf8')).toBe(text);
    expect(await stop('session-1', 'not yet')).toBe(true);
    expect(await stop('session-2', 'hello again')).toBe(false);
    expect(await stop('session-1', prove(user, written))).toBe(true);
    put(user.project, { 'done.txt': '' });
    expect(await stop('session-1', prove(user, written))).toBe(false);
    const { loops } = JSON.parse((await user.tireless(['history', '--json'])).stdout) as {
      readonly loops: readonly { readonly status: string; readonly session: string }[];
    };
    expect(loops).toMatchObject([{ status: 'completed', session: 'session-1' }]);
  });

  it('never writes over a loop that is active', async () => {
    const user = aUser({ 'todos.json': TODOS });
    const { file } = await write(user, FOR_SESSION);
    expect(await hookOf(user, dialect)('not yet')).toBe(true);
    const before = readFileSync(path.join(user.project, file), 'utf8');
    const again = await user.tireless(['start', ...FOR_SESSION]);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('LOOP_STATE') as string });
    expect(again.stderr).toMatch(/"tireless cancel \S+"/);
    expect(readFileSync(path.join(user.project, file), 'utf8')).toBe(before);
  });
});

describe('tireless start --dialect', () => {
  const FILE = '.stravinsky/continuation-loop.md';

  it('keeps several completion texts where the document can, typed apart or with a bar', async () => {
    const user = aUser();
    const written = await write(user, [
      'it',
      '--dialect',
      'stravinsky',
      '--claim',
      'all green',
      '--claim',
      'shipped|merged',
    ]);
    expect(written.claims).toEqual(['all green', 'shipped', 'merged']);
    const stop = hookOf(user, 'stravinsky');
    expect(await stop('not yet')).toBe(true);
    expect(await stop('It is Merged.')).toBe(false);
  });

  it.each(['athena', 'supercode', 'ralph-wiggum', 'ralph-loop'])('refuses a second text for %s', async (dialect) => {
    const ran = await aUser().tireless(['start', 'it', '--dialect', dialect, '--claim', 'a', '--claim', 'b']);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('it can store one') as string });
  });

  it.each([
    ['athena', ['--check', 'true'], 'Add it to the command of the hook'],
    ['supercode', ['--approve-finish'], 'its state file cannot store it'],
    ['stravinsky', ['--criterion', 'x'], 'its state file cannot store it'],
    ['loop-mechanics', ['--claim', 'x'], 'its state file cannot store it'],
    ['ralph-loop', ['--claim', 'null'], 'would be read back as none'],
    ['athena', ['--claim', 'cart'], 'the goal contains it'],
    ['ralph-loop', ['--max-iterations', 'unlimited'], 'a state file needs a number'],
    ['stravinsky', ['--host', 'codex'], 'Cannot use --host alone'],
    ['nobody', [], 'There is no dialect "nobody"'],
  ])('refuses what %s cannot hold: %j', async (dialect, more, message) => {
    const user = aUser();
    const ran = await user.tireless(['start', 'the cart', '--dialect', dialect, ...more]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
    expect(readdirSync(user.project)).toEqual([]);
  });

  it('watches a file for Ralph Wiggum, and needs no promise then', async () => {
    const user = aUser({ 'Needs_Action/a.md': 'x' });
    const watch = ['--watch-file', 'Needs_Action/a.md', '--done-folder', 'Done'];
    const written = await write(user, ['it', '--dialect', 'ralph-wiggum', ...watch]);
    expect(written.claims).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(user.project, written.file), 'utf8'))).toMatchObject({
      watch_file: 'Needs_Action/a.md',
      done_folder: 'Done',
      completion_promise: null,
    });
  });

  it('keeps .athena out of commits', async () => {
    const user = aUser();
    const { file } = await write(user, ['it', '--dialect', 'athena', '--session', 'session-1']);
    expect(file).toBe('.athena/sessions/session-1/loop-tracker.md');
    expect(readFileSync(path.join(user.project, '.athena/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('keeps a file that was switched off beside the new one, and a deleted one gives no count to the next', async () => {
    const user = aUser();
    await write(user, ['first', '--dialect', 'stravinsky', '--max-iterations', '4']);
    const stop = hookOf(user, 'stravinsky');
    await stop('one');
    const full = path.join(user.project, FILE);
    const off = readFileSync(full, 'utf8').replace('active: true', 'active: false');
    writeFileSync(full, off);
    expect((await write(user, ['second', '--dialect', 'stravinsky'])).kept).toBe(`${FILE}.old`);
    expect(readFileSync(`${full}.old`, 'utf8')).toBe(off);
    await stop('two');
    const store = openFileStore({ home: user.home });
    const states = store.list({ ended: 'both' }).map(({ state }) => ({ status: state.status, counted: state.counted }));
    store.close();
    expect(states).toHaveLength(2);
    expect(states).toContainEqual({ status: 'cancelled', counted: 1 });
    expect(states).toContainEqual({ status: 'running', counted: 1 });
  });

  it('leaves a file that nobody can read as it is', async () => {
    const user = aUser();
    put(user.project, { [FILE]: '---\nhalf' });
    const ran = await user.tireless(['start', 'it', '--dialect', 'stravinsky']);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('STATE_FILE_INVALID') as string });
    expect(readFileSync(path.join(user.project, FILE), 'utf8')).toBe('---\nhalf');
    expect(existsSync(path.join(user.project, `${FILE}.old`))).toBe(false);
  });
});
