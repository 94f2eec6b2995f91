// @ts-check
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleaved, print, timed } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** The least a controller could do: start the agent, start the check, read the exit code. */
const MINIMAL = `import { spawn } from 'node:child_process';
const run = (command, input) => new Promise((resolve) => {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.resume(); child.stderr.resume();
  child.on('close', resolve);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
});
for (let n = 0; n < Number(process.argv[2]); n++) { await run(':', 'go on'); await run('exit 1', ''); }
`;

/** What the controller costs in addition to the two processes it has to start anyway. */
export async function benchOverhead() {
  const dir = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  try {
    writeFileSync(join(dir, 'minimal.mjs'), MINIMAL);
    const iterations = 400;
    const minimal = {
      name: `minimal script, ${iterations} iterations`,
      run: () =>
        timed(() =>
          execFileSync(process.execPath, [join(dir, 'minimal.mjs'), String(iterations)], { env: cleanEnvironment() }),
        ),
    };
    const plain = {
      name: 'tireless run, plain folder',
      run: () => timed(() => runLoop(dir, join(dir, 'plain'), iterations)),
    };
    const git = {
      name: 'tireless run, git repository',
      run: () => timed(() => runLoop(dir, join(dir, 'repo'), iterations)),
    };
    execFileSync('mkdir', ['-p', join(dir, 'plain'), join(dir, 'repo')]);
    spawnSync('git', ['init', '-q', join(dir, 'repo')]);
    print(
      'Controller overhead per iteration, no-op agent and check',
      await interleaved([minimal, plain, git], { rounds: 5 }),
      '≤ 2×',
    );
    await memory(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Settings of the machine that make every Node process slower or larger would blur the comparison. */
function cleanEnvironment() {
  const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...rest } = process.env;
  return rest;
}

/** @param {string} dir @param {string} project @param {number} iterations */
function loopArguments(dir, project, iterations) {
  const args = [
    CLI,
    'run',
    'go on',
    '--cwd',
    project,
    '--agent-command',
    ':',
    '--check',
    'exit 1',
    '--max-iterations',
    String(iterations),
    '--max-no-progress',
    'unlimited',
    '--json',
  ];
  return {
    args,
    env: { ...cleanEnvironment(), TIRELESS_HOME: join(dir, `home-${Math.random().toString(36).slice(2)}`) },
  };
}

/** @param {string} dir @param {string} project @param {number} iterations */
function runLoop(dir, project, iterations) {
  const { args, env } = loopArguments(dir, project, iterations);
  const result = spawnSync(process.execPath, args, { env });
  if (result.status !== 3)
    throw new Error(`the loop should halt at its limit: ${result.status} ${result.stderr.toString()}`);
}

/** Resident memory while 1,000 iterations run: it should be small and flat. @param {string} dir */
async function memory(dir) {
  const { args, env } = loopArguments(dir, join(dir, 'plain'), 1000);
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  /** @type {number[]} */
  const samples = [];
  const timer = setInterval(() => {
    try {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      if (kilobytes !== undefined) samples.push(Number(kilobytes) / 1024);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }, 100);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const mean = (/** @type {number[]} */ part) => part.reduce((sum, value) => sum + value, 0) / part.length;
  console.log(
    `\nMemory over 1,000 iterations (aim: ≤ 60 MB and flat): largest ${Math.max(...samples).toFixed(1)} MB, second tenth ${mean(samples.slice(tenth, 2 * tenth)).toFixed(1)} MB, last tenth ${mean(samples.slice(-tenth)).toFixed(1)} MB`,
  );
}
