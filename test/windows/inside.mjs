/**
 * Run by `node.exe`: the parts of tireless that can be tried on Windows or on wine without a host. `TIRELESS_CLI` is the built command
 * line. Every process gets real pipes of Windows, because wine has none for processes outside.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as nodeTest } from 'node:test';

const CLI = process.env['TIRELESS_CLI'];
/** Everything allowed in a name that cmd, a shell or a tool that splits at blanks could stumble over. */
const STRANGE = ['A B & (x86) ^ Jürgen', "100%PATH% o'neill wow!x!;,=日本"];
const HOSTS = ['claude-code', 'codex', 'gemini', 'qwen', 'copilot', 'droid', 'opencode', 'pi'];

/** Asynchronous, so that each result is reported as soon as it is known. */
function test(name, body) {
  void nodeTest(name, async (context) => {
    await new Promise((done) => setTimeout(done, 20));
    await body(context);
  });
}

/** A user with a home and a project, in a folder of this name. */
function aUser(name = 'A B') {
  const root = path.join(mkdtempSync(path.join(tmpdir(), 'tireless-')), name);
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
  const env = { ...process.env, USERPROFILE: home, LOCALAPPDATA: path.join(home, 'AppData', 'Local'), HOME: undefined };
  const store = path.join(env.LOCALAPPDATA, 'tireless');
  const run = (program, args, input = '') =>
    spawnSync(program, args, { cwd: project, env, input, encoding: 'utf8', timeout: 120_000 });
  const tireless = (...args) => {
    const { status, stdout, stderr } = run(process.execPath, [CLI, ...args]);
    return { status, stdout, stderr };
  };
  const hook = (host, payload) =>
    run(
      process.execPath,
      ['--no-opt', '--no-rehash-snapshot', '--v8-pool-size=1', path.join(path.dirname(CLI), 'hook.cjs'), host, store],
      JSON.stringify({ cwd: project, transcript_path: path.join(home, 't.jsonl'), ...payload }),
    );
  return { home, project, env, store, run, tireless, hook };
}

const stop = (session, message) => ({
  session_id: session,
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message: message,
});

function succeeded({ status, stdout, stderr }) {
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

test('says its version', () => {
  assert.match(succeeded(aUser().tireless('--version')), /^\d+\.\d+\.\d+/u);
});

for (const name of STRANGE) {
  test(`a loop continues until its check passes, below ${name}`, () => {
    const user = aUser(name);
    succeeded(
      user.tireless('start', 'make it', '--host', 'claude-code', '--session', 's1', '--check-exists', 'made.txt'),
    );
    assert.match(user.tireless('status').stdout, /running/u);
    assert.match(succeeded(user.hook('claude-code', stop('s1', 'not yet'))), /iteration 2/u);
    assert.equal(succeeded(user.hook('claude-code', stop('s2', 'somebody else'))).trim(), '{}');
    writeFileSync(path.join(user.project, 'made.txt'), '');
    assert.doesNotMatch(succeeded(user.hook('claude-code', stop('s1', 'now'))), /iteration 3/u);
    assert.match(succeeded(user.tireless('list')), /completed\s+verified/u);
    succeeded(user.tireless('replay'));
  });

  test(`Claude Code starts what was installed, below ${name}`, () => {
    const user = aUser(name);
    succeeded(user.tireless('install', 'claude-code', '--user', '--yes'));
    const { hooks } = JSON.parse(readFileSync(path.join(user.home, '.claude', 'settings.json'), 'utf8'));
    const [{ hooks: calls }] = hooks.UserPromptExpansion;
    const payload = {
      session_id: 's1',
      cwd: user.project,
      hook_event_name: 'UserPromptExpansion',
      command_name: 'ralph',
      command_args: 'make it --check-exists made.txt',
      prompt: '/ralph make it --check-exists made.txt',
    };
    succeeded(user.run(calls[0].command, calls[0].args, JSON.stringify(payload)));
    assert.match(succeeded(user.tireless('list')), /running.*make it/u);
    for (const [event, groups] of Object.entries(hooks)) {
      for (const { command, args } of groups.flatMap((group) => group.hooks)) {
        const said = user.run(command, args, JSON.stringify({ ...stop('other', ''), hook_event_name: event }));
        assert.ok(['', '{}'].includes(succeeded(said).trim()), `${event}: ${said.stdout}`);
      }
    }
  });
}

test('every host is installed, examined, and taken out again byte for byte', () => {
  const user = aUser('Jürgen & Ä');
  const mine = '{\r\n  "model": "x",\r\n  "hooks": { "Stop": [] }\r\n}\r\n';
  for (const folder of ['.claude', '.gemini', '.qwen', '.factory']) {
    mkdirSync(path.join(user.home, folder));
    writeFileSync(path.join(user.home, folder, 'settings.json'), mine);
  }
  const before = snapshot(user.home);
  for (const host of HOSTS) {
    const trust = host === 'codex' ? ['--trust'] : [];
    succeeded(user.tireless('install', host, '--user', '--yes', ...trust));
    const found = user.tireless('doctor', host).stdout;
    assert.match(found, /ok {7}installed/u, found);
    assert.match(found, /ok {7}paths/u, found);
    if (host === 'codex') assert.match(found, /ok {7}trust/u, found);
    succeeded(user.tireless('uninstall', host, '--user'));
  }
  assert.deepEqual(snapshot(user.home), before);
});

test('many processes write to one journal, and none is lost', async () => {
  const user = aUser();
  succeeded(user.tireless('start', 'make it', '--host', 'claude-code', '--session', 's1'));
  const words = Array.from({ length: 4 }, (_, at) => `word-${at}`);
  const codes = await Promise.all(
    words.map(
      (word) =>
        new Promise((done) => {
          spawn(process.execPath, [CLI, 'steer', word], { cwd: user.project, env: user.env, stdio: 'ignore' }).on(
            'close',
            done,
          );
        }),
    ),
  );
  assert.deepEqual(
    codes,
    words.map(() => 0),
  );
  const said = succeeded(user.hook('claude-code', stop('s1', 'not yet')));
  for (const word of words) assert.ok(said.includes(word), `${word} is not in ${said}`);
  succeeded(user.tireless('replay'));
});

test('a file that somebody reads is replaced all the same', () => {
  const user = aUser();
  succeeded(
    user.tireless('start', 'make it', '--host', 'claude-code', '--session', 's1', '--max-no-progress', 'unlimited'),
  );
  succeeded(user.hook('claude-code', stop('s1', 'one')));
  const loop = path.join(user.store, 'loops', readdirSync(path.join(user.store, 'loops'))[0]);
  const open = readdirSync(loop, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => openSync(path.join(loop, entry.name), 'r'));
  assert.match(succeeded(user.hook('claude-code', stop('s1', 'two'))), /iteration 3/u);
  for (const descriptor of open) closeSync(descriptor);
  succeeded(user.tireless('replay'));
});

for (const [command, result] of [
  ['exit 0', '✓'],
  ['exit 3', '✗'],
  [`"${process.execPath}" -e "process.exit(0)"`, '✓'],
  ['echo a & echo "b c" && exit /b 0', '✓'],
  ['there-is-no-such-program', '[✗?]'],
]) {
  test(`a check is a line of cmd: ${command}`, () => {
    const user = aUser('a&b c');
    succeeded(user.tireless('start', 'make it', '--host', 'claude-code', '--session', 's1', '--check', command));
    assert.match(succeeded(user.tireless('status')), new RegExp(`checks: +${result}`, 'u'));
  });
}

test('the outer loop starts an agent until the work is done', () => {
  const user = aUser('A B');
  writeFileSync(
    path.join(user.project, 'agent.cjs'),
    `const fs = require('node:fs'); fs.readFileSync(0); fs.appendFileSync('turns', 'x');
     if (fs.readFileSync('turns').length > 2) fs.writeFileSync('made.txt', ''); console.log('turn', Math.random());`,
  );
  const agent = `"${process.execPath}" agent.cjs`;
  const { status, stdout, stderr } = user.tireless(
    'run',
    'make it',
    '--agent-command',
    agent,
    '--check-exists',
    'made.txt',
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.ok(existsSync(path.join(user.project, 'made.txt')));
});

test('what it costs (told, not judged)', (t) => {
  const user = aUser('A B');
  const times = (program, args) => {
    const all = Array.from({ length: 7 }, () => {
      const began = performance.now();
      user.run(program, args, JSON.stringify(stop('s1', '')));
      return performance.now() - began;
    }).toSorted((a, b) => a - b);
    return `${all[3].toFixed(0)} ms`;
  };
  const hook = [
    '--no-opt',
    '--no-rehash-snapshot',
    '--v8-pool-size=1',
    path.join(path.dirname(CLI), 'hook.cjs'),
    'claude-code',
    user.store,
  ];
  t.diagnostic(`cmd /c exit: ${times('cmd.exe', ['/d', '/c', 'exit'])}`);
  t.diagnostic(`node -e 0: ${times(process.execPath, ['-e', '0'])}`);
  t.diagnostic(`the hook without a loop: ${times(process.execPath, hook)}`);
});

/** Every file below a folder with its bytes, except tireless's own files. */
function snapshot(folder) {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .filter((file) => !file.includes('AppData'))
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );
}
