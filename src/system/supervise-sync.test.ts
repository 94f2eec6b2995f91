import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processTable } from './process-table.ts';
import { runCommandSync, type SyncSpawnRequest } from './spawn.ts';
import { outputTail } from './supervise.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tireless-sync-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function request(command: string, changes: Partial<SyncSpawnRequest> = {}): SyncSpawnRequest {
  return { command, cwd: directory, environment: {}, tailBytesMax: 1000, timeoutMs: 20_000, ...changes };
}

describe.runIf(process.platform !== 'win32')('runCommandSync', () => {
  it('gives the same result as the asynchronous way', () => {
    const result = runCommandSync(
      request('cat; echo "$GREETING" >&2; exit 4', { stdin: 'é'.repeat(100_000), environment: { GREETING: 'hi' } }),
    );
    expect(result).toMatchObject({
      exitCode: 4,
      stdoutBytes: 200_000,
      stdoutTail: 'é'.repeat(500),
      stderrTail: 'hi\n',
      timedOut: false,
      leftovers: 0,
    });
  });

  it('ends the whole group at the timeout', () => {
    const result = runCommandSync(request('trap "" TERM; echo $$ >pid; sleep 60 & sleep 60', { timeoutMs: 200 }));
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true });
    const pgid = Number(readFileSync(join(directory, 'pid'), 'utf8'));
    expect(
      processTable()
        .list()
        .filter((row) => row.pgid === pgid),
    ).toEqual([]);
  });

  it('does not wait for a detached process that holds the pipe, and ends it', () => {
    const script = join(directory, 'script.cjs');
    writeFileSync(
      script,
      `require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'inherit' }).unref();`,
    );
    const result = runCommandSync(request(`"${process.execPath}" "${script}"; echo done`));
    expect(result).toMatchObject({ exitCode: 0, stdoutTail: 'done\n', timedOut: false, leftovers: 1 });
  });

  it('keeps only the end of a long output', () => {
    const result = runCommandSync(request('head -c 50000000 /dev/zero | tr "\\0" x; echo END'));
    expect(result).toMatchObject({ stdoutBytes: 50_000_004, stdoutTail: `${'x'.repeat(996)}END\n` });
  });

  it('names what kept it from starting', () => {
    expect(runCommandSync(request('true', { cwd: join(directory, 'missing') }))).toMatchObject({
      trouble: 'cwd-missing',
      timedOut: false,
    });
    expect(runCommandSync(request('no-such-agent'))).toMatchObject({ exitCode: 127, trouble: 'not-found' });
    expect(runCommandSync(request('true\0'))).toMatchObject({ trouble: 'spawn-failed' });
  });

  it('works from a minified bundle, where every function has another name', async () => {
    const bundle = await rolldown({ input: fileURLToPath(new URL('spawn.ts', import.meta.url)), platform: 'node' });
    await bundle.write({ file: join(directory, 'spawn.mjs'), format: 'esm', minify: true });
    await bundle.close();
    const program = join(directory, 'program.mjs');
    writeFileSync(
      program,
      `import { runCommandSync } from './spawn.mjs';
       const { exitCode, stdoutTail } = runCommandSync({ command: 'echo out; exit 5', cwd: '.', environment: {}, tailBytesMax: 100, timeoutMs: 10000 });
       console.log(JSON.stringify({ exitCode, stdoutTail }));`,
    );
    const output = execFileSync(process.execPath, [program], { cwd: directory, encoding: 'utf8' });
    expect(output.trim()).toBe('{"exitCode":5,"stdoutTail":"out\\n"}');
  });
});

describe('outputTail', () => {
  it('keeps exactly the last bytes, whatever the pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 50 }),
        fc.integer({ min: 1, max: 60 }),
        (pieces, bytesMax) => {
          const tail = outputTail(bytesMax);
          for (const piece of pieces) tail.push(piece);
          const all = Buffer.concat(pieces);
          const { bytes, total } = tail.end();
          expect(total).toBe(all.length);
          expect(Buffer.from(bytes).equals(all.subarray(Math.max(0, all.length - bytesMax)))).toBe(true);
        },
      ),
    );
  });

  it('holds few pieces when they are tiny', () => {
    const tail = outputTail(100_000);
    for (let index = 0; index < 5000; index += 1) tail.push(Uint8Array.of(index & 0x7f));
    expect(tail.end().bytes.length).toBe(5000);
  });
});
