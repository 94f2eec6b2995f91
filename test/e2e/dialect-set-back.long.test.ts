/** A counter that was lowered while the agent was working: the loop keeps its count, so every loop ends, and the user sees why and how to begin again. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIALECT_CASES, hookOf, loopsOf } from '../support/dialect-hooks.ts';
import { aUser } from '../support/run-cli.ts';

const WORKING = { stop_hook_active: true };

describe.each(DIALECT_CASES)('a file of $name', ({ name, file, text, counter }) => {
  it.each(['has its counter set back', 'is deleted and written again'])('that %s is reported', async (what) => {
    const user = aUser({ [file]: text(8) });
    const where = path.join(user.project, file);
    const hook = hookOf(user, name);
    let parts = 0;
    const stop: typeof hook = (message, more) => {
      writeFileSync(path.join(user.project, 'work.txt'), `${parts++}`);
      return hook(message, more);
    };
    for (let turn = 0; turn < 4; turn++) expect(await stop(`part ${turn}`, WORKING)).toMatchObject({ continues: true });
    const before = readFileSync(where, 'utf8');
    const [, first = ''] = counter.exec(text(8)) ?? [];
    if (what === 'has its counter set back')
      writeFileSync(
        where,
        before.replace(counter, (found) => found.replace(/\d+$/u, first)),
      );
    else {
      rmSync(where);
      writeFileSync(where, text(8));
    }
    const reply = await stop('another part', WORKING);
    const [loop] = loopsOf(user);
    expect(reply.continues).toBe(true);
    const { systemMessage } = JSON.parse(reply.stdout) as { systemMessage?: string };
    expect(systemMessage).toContain(`the counter in ${file} was lowered`);
    expect(systemMessage).toContain(`To begin again: tireless cancel ${loop?.loop ?? ''}, then write the file`);
    const next = JSON.parse((await stop('one more part', WORKING)).stdout) as { systemMessage?: string };
    expect(next.systemMessage ?? '').not.toContain('was lowered');

    // What the line says works.
    expect(await user.tireless(['cancel', loop?.loop ?? ''])).toMatchObject({ code: 0 });
    writeFileSync(where, text(8));
    for (let turn = 0; turn < 3; turn++) expect(await stop(`part ${turn}`, WORKING)).toMatchObject({ continues: true });
    expect(loopsOf(user).map(({ counted }) => counted)).toContain(3);
  });
});
