import { describe, expect, it } from 'vitest';
import { aSpec, aState } from '../../test/support/a-loop.ts';
import { loopOf } from '../core/journal.ts';
import { loadDialect } from '../entries/dialects.ts';
import { DIALECT_NAMES, dialectOfPath } from './names.ts';
import { prdOfLoop, readPrd } from './prd.ts';

const spec = aSpec({
  goal: 'make the tests pass\nwith "care"',
  claim: { texts: ['all green'], form: 'tag-anywhere', tag: 'promise', fold: true },
  criteria: [{ text: 'it works', by: 'agent' }],
});
const limits = { ...spec.limits, iterationsMax: 9 };

describe('a new file', () => {
  it.each(DIALECT_NAMES)('writes for %s what it reads back: active, counter and maximum', async (name) => {
    const dialect = await loadDialect(name);
    const running = dialect.newText(loopOf(spec, aState({ status: 'running', counted: 2, limits })));
    expect(dialect.read(running)).toMatchObject({ kind: 'loop', active: true, counted: 2, iterationsMax: 9 });
    expect(running).toContain('make the tests pass');
    const ended = dialect.newText(loopOf(spec, aState({ status: 'cancelled', counted: 2, limits })));
    expect(dialect.read(ended)).toMatchObject({ kind: 'loop', active: false });
    const unlimited = { ...limits, iterationsMax: 'unlimited' as const };
    expect(dialect.read(dialect.newText(loopOf(spec, aState({ limits: unlimited }))))).toMatchObject({
      kind: 'loop',
    });
  });

  it('writes a list of stories, ticked as far as they are met', () => {
    const state = aState({ criteriaMet: ['it works'] });
    expect(readPrd(prdOfLoop(loopOf(spec, state)))).toMatchObject({
      kind: 'prd',
      criteriaMet: ['US-001: it works'],
    });
  });
});

describe('dialectOfPath', () => {
  it.each([
    ['.athena/sessions/a/loop-tracker.md', 'athena'],
    ['/p/.loop/state.json', 'loop-mechanics'],
    ['.supercoin/ralph-loop-state.json', 'supercode'],
    ['C:\\p\\.stravinsky\\continuation-loop.md', 'stravinsky'],
    ['AI_Employee_Vault/Ralph_State/RALPH_7.json', 'ralph-wiggum'],
    ['.claude/ralph-loop.local.md', 'ralph-loop'],
    ['scripts/ralph/prd.json', 'prd'],
    ['notes.md', undefined],
    ['state.json', undefined],
  ])('%s -> %s', (file, name) => {
    expect(dialectOfPath(file)).toBe(name);
  });
});
