import { describe, expect, it } from 'vitest';
import type { LoopView } from '../../src/views/loop-view.ts';
import { aUser } from '../support/run-cli.ts';

/** An agent that appends what it would like the journal to say: whole, and following the chain. */
const FORGER = `
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
const loops = process.env.TIRELESS_HOME + '/loops';
const file = loops + '/' + readdirSync(loops)[0] + '/journal.jsonl';
const lines = readFileSync(file, 'utf8').split('\\n').filter(Boolean);
const last = JSON.parse(lines.at(-1));
const event = { kind: 'turn-ended', iteration: 1, worker: last.event.worker };
const decision = { kind: 'complete', verified: true, level: 'room', proofs: [{ kind: 'check', name: 'unit' }] };
const prev = createHash('sha256').update(lines.at(-1)).digest('hex');
const entry = { ...last, revision: last.revision + 1, prev, event, evidence: { ...last.evidence, checks: [] }, decision };
appendFileSync(file, '\\n' + JSON.stringify(entry) + '\\n');
setTimeout(() => undefined, Number(process.argv[2]));
`;

const run = ['run', 'goal', '--agent-command'];
const check = ['--check', 'unit:: false'];

describe('an agent that writes its own proof into the journal', () => {
  it.each(['0', '600000'])('gets no proof, and the loop is halted (it stays for %s ms)', async (ms) => {
    const user = aUser({ 'forge.mjs': FORGER });
    const ran = await user.tireless([...run, `cat >/dev/null; node forge.mjs ${ms}`, ...check]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('JOURNAL_TAMPERED');
    expect(ran.stdout).not.toContain('completed');

    const listed = await user.tireless(['list', '--json']);
    const [loop] = (JSON.parse(listed.stdout) as { loops: LoopView[] }).loops;
    expect(loop).toMatchObject({ status: 'halted' });
    const { stdout } = await user.tireless(['explain', loop?.id ?? '']);
    expect(stdout).toContain('did not write revision');
  });
});
