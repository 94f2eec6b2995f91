/** A loop in a state file counts as that file does, in every command and in the hook: a reader of the file finds the same numbers there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/names.ts';
import { turnsAllowed } from '../../src/dialects/counting.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { aStop } from '../support/hook-payload.ts';
import type { User } from '../support/run-cli.ts';
import { aUser } from '../support/run-cli.ts';

const MAXIMUM = 3;
const COUNTER = /(?:"iteration"|"current_iteration"|^iteration(?:_count)?): (\d+)/mu;

type View = {
  readonly iteration: number;
  readonly file?: { readonly iteration: number; readonly iterationsMax: number | 'unlimited' };
  readonly outcome: { readonly reason: string } | null;
};

function counterIn(user: User, file: string): number | null {
  const full = path.join(user.project, file);
  return existsSync(full) ? Number(COUNTER.exec(readFileSync(full, 'utf8'))?.[1]) : null;
}

async function said(user: User, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await user.tireless(args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

async function viewOf(user: User, loop: string): Promise<View> {
  const { loops } = JSON.parse(await said(user, 'status', loop, '--json')) as { loops: readonly View[] };
  const [view] = loops;
  if (view === undefined) throw new Error('no loop');
  return view;
}

describe.each(DIALECT_NAMES)('the counts of a %s loop', (dialect) => {
  it('are those of its file in status, explain, the JSON view and the hook', async () => {
    const user = aUser();
    const started = await said(user, 'start', 'make it', '--dialect', dialect, '--max-iterations', '3', '--json');
    const { file } = JSON.parse(started) as { readonly file: string };
    const stop = async (message: string): Promise<{ decision?: string; systemMessage?: string }> => {
      const { stdout } = await user.tireless(['hook', 'claude-code', '--dialect', dialect, '--reply', 'json'], {
        stdin: aStop(user.project, message),
        env: { CLAUDE_PROJECT_DIR: user.project },
      });
      return JSON.parse(stdout) as { decision?: string; systemMessage?: string };
    };

    expect(await stop('turn 1')).toMatchObject({ decision: 'block' });
    const listed = await said(user, 'list');
    const loop = listed.split('\n')[1]?.split(' ')[0] ?? '';
    const counter = counterIn(user, file);
    expect(counter).toBeGreaterThan(0);
    expect(await said(user, 'status', loop)).toContain(`  iteration: ${counter} of ${MAXIMUM}, `);
    const first = await said(user, 'explain', loop);
    expect(first).toContain(`limits: iteration ${counter} of ${MAXIMUM}, `);
    expect(first).toContain(`iteration ${counter}`);
    expect(first).toContain(`limits: ${MAXIMUM} iterations, `);
    expect(await viewOf(user, loop)).toMatchObject({ file: { iteration: counter, iterationsMax: MAXIMUM } });

    let answer = await stop('turn 2');
    for (let turn = 3; answer.decision === 'block'; turn++) answer = await stop(`turn ${turn}`);
    const used = `${MAXIMUM} of ${MAXIMUM} iterations used`;
    expect(answer.systemMessage ?? used).toMatch(/3 of 3|Max iterations/u);
    // Some documents remove their file at the end.
    expect(counterIn(user, file) ?? MAXIMUM).toBe(MAXIMUM);
    const status = await said(user, 'status', loop);
    expect(status).toContain(`halted: ${used}`);
    expect(status).toContain(`  iteration: ${MAXIMUM} of ${MAXIMUM}, `);
    expect(await said(user, 'history')).toContain(loop);
    const explained = await said(user, 'explain', loop);
    expect(explained).toContain(`=> halted: ${used}`);
    expect(explained).toContain(`is halted: ${used}`);
    // The maximum of the file is the only one that is shown.
    expect(explained).not.toMatch(new RegExp(`(?:iteration|halted:) \\d+ of (?!${MAXIMUM}\\b)`, 'u'));
    const view = await viewOf(user, loop);
    expect(view).toMatchObject({ iteration: turnsAllowed(MAXIMUM, DIALECTS[dialect].counting) });
    expect(view.outcome?.reason).toContain(used);

    const { stderr } = await user.tireless(['resume', loop]);
    expect(stderr).toContain(used);
    expect(stderr).toContain(`--max-iterations ${MAXIMUM * 2}`);
    await said(user, 'resume', loop, '--max-iterations', String(MAXIMUM * 2));
    expect(await said(user, 'status', loop)).toMatch(new RegExp(`  iteration: \\d+ of ${MAXIMUM * 2}, `, 'u'));
  });
});
