import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ancestorVariables } from './ancestors.ts';

/** The innermost process of a shell line, which prints its pid and waits. */
async function processBelow(line: string): Promise<number> {
  const env = { PATH: process.env['PATH'], TIRELESS_LOOP: 'a\nb=ü', NO_TIRELESS_LOOP: 'x' };
  const child = spawn('/bin/sh', ['-c', line], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.stdin.end());
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return Number(chunk.toString('utf8'));
}

const NAMES = ['TIRELESS_LOOP', 'OTHER'];
const INNER = `sh -c 'echo $$; read line; true'`;

describe.runIf(process.platform === 'linux')('ancestorVariables', () => {
  it.each([
    ['has dropped one variable', `env -u TIRELESS_LOOP ${INNER}; true`, 0],
    ['has dropped all of them', `env -i ${INNER}; true`, 0],
    ['is two shells below', `env -i sh -c "${INNER.replaceAll('$$', String.raw`\$\$`)}; true"; true`, 1],
  ])('reads what the shell above had when the call itself %s', async (_, line, steps) => {
    const above = [...ancestorVariables(NAMES, { pid: await processBelow(line) })];
    expect(above[steps]).toEqual({ TIRELESS_LOOP: 'a\nb=ü' });
    for (const others of above.slice(0, steps)) expect(others).toEqual({});
  });

  it('says nothing about processes that are not there, and ends', () => {
    expect([...ancestorVariables(['PATH'], { pid: 2 ** 30 })]).toEqual([]);
    expect([...ancestorVariables(['PATH'], { proc: '/nowhere' })]).toEqual([]);
    expect([...ancestorVariables(['PATH'])].length).toBeLessThanOrEqual(64);
  });
});
