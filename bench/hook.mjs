// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFileStore } from '../dist/index.js';
import { LOOP, SESSION, armHome, makeLongTurn, makeRepository, makeTranscript } from './hook-home.mjs';
import { median } from './measure.mjs';

// What a stop of an agent costs, with or without a loop: `npm run bench:hook`, or `npm run bench:hook -- life turns` for some of its parts.
// Ratios of one run, each against an unavoidable cost: a shell, or a Node that does nothing.

const HOOK = fileURLToPath(new URL('../dist/hook.cjs', import.meta.url));
const RUNNER = fileURLToPath(new URL('hook-run.py', import.meta.url));
const ROUNDS = Number(process.env['ROUNDS'] ?? 41);
const PEER = 'oh-my-claude-sisyphus@5.5.0';
const {
  NODE_EXTRA_CA_CERTS: certificates = '/etc/ssl/certs/ca-certificates.crt',
  NODE_OPTIONS: _,
  ...inherited
} = process.env;
// The cap as `install` sets it.
const environment = {
  ...inherited,
  CLAUDE_CODE_SESSION_ID: SESSION.id,
  CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '10000',
};

const MESSAGE = 'I looked at the tests, and two of them fail in a new way. '.repeat(10);

/** @typedef {{ name: string, argv: string[], env: Record<string, string | undefined>, stdin?: string, stdins?: string[], copies?: [string, string][], codes?: number[] }} Candidate */
/** @typedef {{ wallMs: number, cpuMs: number, rssMb: number }} Sample */

const dir = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
const at = (/** @type {string[]} */ ...parts) => join(dir, ...parts);

/** The line of the guard, as `src/hosts/guard.ts` makes it. @param {string} home @param {boolean} isDrained @param {string} [words] */
const guard = (home, isDrained, words = '') =>
  `[ -n "$CLAUDE_CODE_SESSION_ID" ] && [ -e ${home}/armed/claude-code/"$CLAUDE_CODE_SESSION_ID" ] || ${isDrained ? 'exec cat >/dev/null' : 'exit 0'}; [ -x ${process.execPath} ] && [ -f ${HOOK} ] || { printf '%s\\n' '{"systemMessage":"tireless: its program, or the Node that it ran on, is not where it was, so no loop goes on and the agent may stop. Run \\"tireless install claude-code\\" again, or take its hooks out of the settings."}'; exit 0; }; NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec ${process.execPath} --no-opt --no-rehash-snapshot --v8-pool-size=1 ${HOOK} claude-code ${home}${words}`;

/** @param {string} name @param {string} line @param {Partial<Candidate>} [more] @returns {Candidate} */
const shell = (name, line, more = {}) => ({ name, argv: ['/bin/sh', '-c', line], env: environment, ...more });

const nop = () => ({ name: 'node nop.cjs', argv: [process.execPath, at('nop.cjs')], env: environment });

/** @param {string} name @param {Record<string, unknown>} fields */
function payload(name, fields) {
  const file = at(`${name}.json`);
  const stop = {
    session_id: SESSION.id,
    cwd: at('project'),
    hook_event_name: 'Stop',
    stop_hook_active: true,
    ...fields,
  };
  writeFileSync(file, JSON.stringify(stop));
  return file;
}

/** @param {readonly Candidate[]} candidates @param {number} [rounds] @returns {Record<string, Sample[]>} */
function measure(candidates, rounds = ROUNDS) {
  const clean = candidates.map((one) => ({
    ...one,
    env: Object.fromEntries(Object.entries(one.env).filter(([, value]) => value !== undefined)),
  }));
  const ran = spawnSync('python3', [RUNNER], {
    input: JSON.stringify({ rounds, candidates: clean }),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (ran.status !== 0) throw new Error(`Cannot measure: ${ran.error?.message ?? ran.stderr}. It needs python3.`);
  return JSON.parse(ran.stdout);
}

/** @param {string} title @param {Record<string, Sample[]>} samples @param {Record<string, string>} [aims] @param {Record<string, string>} [against] */
function show(title, samples, aims = {}, against = {}) {
  console.log(`\n${title}`);
  const [first = ''] = Object.keys(samples);
  for (const [name, own] of Object.entries(samples)) {
    const base = samples[against[name] ?? first] ?? [];
    const ratio = (/** @type {keyof Sample} */ key) =>
      median(own.map((one, round) => one[key] / (base[round]?.[key] ?? 1)));
    const figures = [
      `median ${median(own.map((one) => one.wallMs))
        .toFixed(2)
        .padStart(8)} ms`,
      `×${ratio('wallMs').toFixed(3)}`,
      `CPU ×${ratio('cpuMs').toFixed(3)}`,
      `${median(own.map((one) => one.rssMb))
        .toFixed(1)
        .padStart(6)} MB ×${ratio('rssMb').toFixed(2)}`,
    ];
    console.log(
      `  ${name.padEnd(46)} ${figures.join('   ')}${aims[name] === undefined ? '' : `   (aim: ${aims[name]})`}`,
    );
  }
}

function noLoop() {
  const empty = at('empty-home');
  const stdin = payload('no-loop', { last_assistant_message: 'I looked at the tests. '.repeat(400) });
  const samples = measure(
    [
      shell('sh -c :', ':', { stdin }),
      shell('no loop', guard(empty, false), { stdin }),
      shell('no loop, input drained', guard(empty, true), { stdin }),
    ],
    ROUNDS * 5,
  );
  show('No loop', samples, { 'no loop': '≤ 1.2×', 'no loop, input drained': '≤ 2.2×' });
}

/** @param {string} stdin */
function armed(stdin) {
  const [home, used] = [at('home'), at('used')];
  const copies = /** @type {[string, string][]} */ ([[home, used]]);
  const sizes = { '10 KB': 10_000, '1 MB': 1e6, '100 MB': 1e8, '1 GB': 1e9 };
  const tails = Object.entries(sizes).map(([name, bytes]) => {
    const file = at(`${bytes}.jsonl`);
    makeTranscript(file, bytes);
    return shell(`armed, transcript of ${name}`, guard(used, false), {
      copies,
      stdin: payload(`tail-${bytes}`, { transcript_path: file }),
    });
  });
  // No word occurs twice, so that all of it is read: enough work for optimized code to seem worthwhile.
  const long = Array.from({ length: 600 }, (_none, index) => `word${index * 7919}`).join(' ');
  const longStdin = payload('long', { transcript_path: at('10000.jsonl'), last_assistant_message: long });
  const samples = measure([
    // Prepared like the others, because a machine that has just copied and flushed files is slower.
    { ...nop(), copies },
    shell('armed, message in the payload', guard(used, false), { copies, stdin }),
    shell('armed, a long message', guard(used, false), { copies, stdin: longStdin }),
    ...tails,
  ]);
  const aims = Object.fromEntries(
    Object.keys(samples)
      .slice(1)
      .map((name) => [name, '≤ 1.25×, memory ≤ 1.15×']),
  );
  show('An armed loop, against a Node that does nothing', samples, aims);
  const [small, large] = ['10 KB', '1 GB'].map((name) => samples[`armed, transcript of ${name}`] ?? []);
  const growth = median((large ?? []).map((one, round) => one.wallMs / (small?.[round]?.wallMs ?? 1)));
  console.log(`  1 GB against 10 KB: ×${growth.toFixed(3)}   (aim: ≤ 1.1)`);

  if (existsSync(certificates)) {
    const env = { ...environment, NODE_EXTRA_CA_CERTS: certificates };
    const own = shell('armed, certificates set', guard(used, false), { copies, stdin, env });
    show(
      'NODE_EXTRA_CA_CERTS set',
      measure([{ ...nop(), copies }, { ...nop(), copies, name: 'node nop.cjs, certificates set', env }, own], 15),
      { 'armed, certificates set': '≤ 1.25×' },
    );
  } else console.log('\nNODE_EXTRA_CA_CERTS: skipped, no certificates on this machine');
}

const LIFE_STOPS = Number(process.env['LIFE'] ?? 300);
const TENTHS = 10;

/** One loop from its first stops to its last, each paired with a Node that does nothing: does a stop cost more as its loop gets older? */
function wholeLife() {
  const home = at('life');
  armHome(home, at('project'), 'unlimited');
  const stdins = Array.from({ length: 7 }, (_none, index) =>
    payload(`life-${index}`, { last_assistant_message: `Part ${index} of the tests passes now. `.repeat(15) }),
  );
  const life = `a loop of ${LIFE_STOPS} stops`;
  const samples = measure([nop(), shell(life, guard(home, false), { stdins })], LIFE_STOPS);
  const store = openFileStore({ home });
  const turns = store.entries(LOOP).filter(({ event }) => event.kind === 'turn-ended').length;
  store.close();
  if (turns < LIFE_STOPS) throw new Error(`Only ${turns} of ${LIFE_STOPS} stops were counted.`);
  show(`A whole life, against a Node that does nothing`, samples, { [life]: 'median and worst tenth ≤ 1.25×' });
  const [base = [], own = []] = Object.values(samples);
  for (const [name, key] of /** @type {const} */ ([
    ['time', 'wallMs'],
    ['CPU', 'cpuMs'],
  ])) {
    const ratios = own.map((one, stop) => one[key] / (base[stop]?.[key] ?? 1));
    const size = Math.ceil(ratios.length / TENTHS);
    const tenths = Array.from({ length: TENTHS }, (_none, index) =>
      median(ratios.slice(index * size, (index + 1) * size)),
    );
    console.log(
      `  ${`${name}, tenth by tenth`.padEnd(46)} ${tenths.map((one) => one.toFixed(2)).join(' ')}   worst ×${Math.max(...tenths).toFixed(3)}`,
    );
  }
}

/** A stop reads back to the stop before the last one: how much does the agent's output in between matter? */
function longTurns() {
  const [home, used] = [at('home'), at('used')];
  const copies = /** @type {[string, string][]} */ ([[home, used]]);
  const stops = [1, 10, 16].map((megabytes) => {
    const file = at(`turn-${megabytes}.jsonl`);
    makeLongTurn(file, megabytes * 1e6);
    return shell(`after a turn that wrote ${megabytes} MB`, guard(used, false), {
      copies,
      stdin: payload(`turn-${megabytes}`, { transcript_path: file }),
    });
  });
  show('Long turns, against a Node that does nothing', measure([{ ...nop(), copies }, ...stops], 15));
}

/** Everything outside the fast path, each case by itself. @param {string} stdin */
function seldom(stdin) {
  const repository = at('repository');
  makeRepository(repository, 300);
  const git = at('git-home');
  armHome(git, repository, 1);
  armHome(at('git-home-3'), repository);
  const look = { copies: /** @type {[string, string][]} */ ([[git, at('git-used')]]), stdin };
  const dialect = at('dialect-project');
  mkdirSync(join(dialect, '.claude'), { recursive: true });
  writeFileSync(
    join(dialect, '.claude/ralph-loop.local.md'),
    '---\nactive: true\niteration: 1\nmax_iterations: 100\ncompletion_promise: "DONE"\n---\n\nmake it\n',
  );
  const asked = payload('dialect', { cwd: join(at('dialect-used')), last_assistant_message: 'still at it' });
  const line = `NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec ${process.execPath} --no-opt --no-rehash-snapshot --v8-pool-size=1 ${HOOK} claude-code ${at('dialect-home')} --dialect ralph-loop`;
  const copies = /** @type {[string, string][]} */ ([
    [dialect, at('dialect-used')],
    [at('empty-home'), at('dialect-home')],
  ]);
  const samples = measure(
    [
      { ...nop(), copies },
      shell('git repository, work tree not due', guard(at('git-used-3'), false), {
        copies: [[at('git-home-3'), at('git-used-3')]],
        stdin,
      }),
      shell('git repository, work tree looked at', guard(at('git-used'), false), look),
      shell('a loop in a YAML file, first stop', line, { copies, stdin: asked }),
    ],
    15,
  );
  show('What takes more', samples);
}

/** @param {string} stdin */
function peers(stdin) {
  const place = at('peer');
  mkdirSync(place);
  const npm = spawnSync('npm', ['install', '--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts', PEER], {
    timeout: 180_000,
    encoding: 'utf8',
  });
  const root = join(place, 'node_modules', PEER.replace(/@[^@]*$/u, ''));
  const settings = join(root, 'hooks/hooks.json');
  if (npm.status !== 0 || !existsSync(settings))
    return console.log(`\nPeers: skipped, ${PEER} cannot be installed here`);
  const stops = JSON.parse(readFileSync(settings, 'utf8')).hooks.Stop.flatMap(
    (/** @type {any} */ group) => group.hooks,
  );
  const env = { ...environment, CLAUDE_PLUGIN_ROOT: root, HOME: at('peer-home') };
  mkdirSync(at('peer-home'));
  const candidates = stops.map((/** @type {any} */ hook, /** @type {number} */ index) =>
    shell(`${PEER}, Stop hook ${index + 1} of ${stops.length}`, `cd ${at('project')}; ${hook.command}`, {
      stdin,
      env,
      codes: [0, 1, 2],
    }),
  );
  show('Peers, no loop of theirs active', measure([nop(), ...candidates], 9));
}

/** One-shot hooks of one loop, fifty at a time, some killed at any instant: every reply must have been recorded. */
async function nothingLost() {
  const home = at('hammer');
  armHome(home, at('project'), 'unlimited');
  let started = 0;
  let killed = 0;
  /** @type {string[]} */
  const said = [];
  const one = async () => {
    for (let index = (started += 1); index <= 500; index = started += 1) {
      const child = spawn('/bin/sh', ['-c', guard(home, false)], {
        env: environment,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stdin.on('error', () => child.stdin.destroy());
      child.stdin.end(
        JSON.stringify({
          session_id: SESSION.id,
          cwd: at('project'),
          hook_event_name: 'Stop',
          stop_hook_active: true,
          last_assistant_message: `stop ${index}`,
        }),
      );
      const timer =
        index % 5 === 0
          ? setTimeout(() => (child.kill('SIGKILL') ? (killed += 1) : 0), Math.random() * 1500)
          : undefined;
      await new Promise((resolve) => child.on('close', resolve));
      clearTimeout(timer);
      said.push(...(/\[tireless:(\d+)\]/u.exec(output)?.slice(1, 2) ?? []));
    }
  };
  await Promise.all(Array.from({ length: 50 }, one));
  const granted = new Set(
    openFileStore({ home })
      .entries(LOOP)
      .flatMap(({ decision }) => (decision.kind === 'continue' ? [String(decision.iteration)] : [])),
  );
  const lost = said.filter((iteration) => !granted.has(iteration)).length;
  const twice = said.length - new Set(said).size;
  console.log(
    `\n500 hooks, 50 at a time, ${killed} killed: ${said.length} answered, ${lost} lost, ${twice} numbers given twice   (aim: 0 and 0)`,
  );
}

/** @param {string} stdin */
function flushes(stdin) {
  writeFileSync(
    at('count.cjs'),
    `const fs = require('fs'); let count = 0; for (const name of ['fsyncSync', 'fdatasyncSync']) { const real = fs[name]; fs[name] = (fd) => { count += 1; return real(fd); }; } process.on('exit', () => fs.writeSync(2, String(count)));`,
  );
  armHome(at('flush'), at('project'));
  const ran = spawnSync(
    process.execPath,
    ['--no-opt', '--no-rehash-snapshot', '--v8-pool-size=1', '-r', at('count.cjs'), HOOK, 'claude-code', at('flush')],
    {
      input: readFileSync(stdin),
      env: environment,
      encoding: 'utf8',
    },
  );
  console.log(`\nFlushes of one stop: ${ran.stderr}   (aim: ≤ 1)`);
}

try {
  mkdirSync(at('project'));
  writeFileSync(at('nop.cjs'), '');
  armHome(at('home'), at('project'));
  makeTranscript(at('10000.jsonl'), 10_000);
  // The first events of an installed program keep its compiled code; all later ones use that. A tool request comes first, as in most sessions.
  const transcript_path = at('10000.jsonl');
  for (const [name, fields] of Object.entries({
    tool: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } },
    first: { transcript_path, last_assistant_message: 'x' },
    second: { transcript_path },
    third: { transcript_path, last_assistant_message: MESSAGE },
  }))
    spawnSync('/bin/sh', ['-c', guard(at('home'), false)], {
      input: readFileSync(payload(name, fields)),
      env: environment,
    });
  if (!readdirSync(fileURLToPath(new URL('../dist/', import.meta.url))).some((name) => name.endsWith('.code')))
    console.log('The folder of the program cannot be written to: compiled code is not kept, and every stop compiles.');
  rmSync(at('home'), { recursive: true });
  armHome(at('home'), at('project'));
  mkdirSync(at('empty-home'));
  const stdin = payload('message', { transcript_path: at('10000.jsonl'), last_assistant_message: MESSAGE });
  const parts = {
    'no-loop': noLoop,
    armed: () => armed(stdin),
    life: wholeLife,
    turns: longTurns,
    seldom: () => seldom(stdin),
    peers: () => peers(stdin),
    flushes: () => flushes(stdin),
    lost: nothingLost,
  };
  const asked = process.argv.slice(2);
  for (const [name, part] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await part();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
