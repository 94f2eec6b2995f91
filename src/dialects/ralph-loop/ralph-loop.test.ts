import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialectWorld } from '../../../test/support/dialect-world.ts';
import { aDialectWorld } from '../../../test/support/dialect-world.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import type { Words } from '../dialect.ts';
import { replyIn } from '../dialect.ts';
import { newText } from './write.ts';
import { ralphLoop } from './dialect.ts';
import { RALPH_LOOP_FILE } from './descriptor.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../test/fixtures/dialects/ralph-loop');
const recorded = (name: string): string => readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');

function worldWith(text: string): DialectWorld {
  const world = aDialectWorld(ralphLoop);
  world.files.set(`/project/${RALPH_LOOP_FILE}`, text);
  return world;
}

function textOf(world: DialectWorld): string | undefined {
  return world.files.get(`/project/${RALPH_LOOP_FILE}`);
}

function wordsOf({ decision, loaded, reading }: DialectHandled): Words {
  return ralphLoop.wordsFor({ decision, loop: loaded ?? null, reading });
}

function fileWith(fields: string, prompt = 'Fix it.'): string {
  return `---\nactive: true\niteration: 1\n${fields}\n---\n\n${prompt}\n`;
}

describe('the file of the ralph-loop plugin', () => {
  it('feeds the same prompt back, with the line for the user, and counts in the file', () => {
    const world = worldWith(recorded('plugin'));
    const { stdout, exitCode } = replyIn('json', wordsOf(world.stop(RALPH_LOOP_FILE, 'At work.')));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      decision: 'block',
      reason: 'Build a todo API.\n\nOutput <promise>DONE</promise> when every test passes.',
      systemMessage:
        '🔄 Ralph iteration 2 | To stop: output <promise>DONE</promise> (ONLY when statement is TRUE - do not lie to exit!)',
    });
    expect(textOf(world)).toBe(
      recorded('plugin')
        .replace('iteration: 1\n', 'iteration: 2\n')
        .replace('session_id: \n', 'session_id: session-1\n'),
    );
  });

  it('allows as many turns as its maximum, and is deleted at the end', () => {
    const world = worldWith(fileWith('max_iterations: 3\ncompletion_promise: null'));
    expect(world.stop(RALPH_LOOP_FILE, 'a').decision.kind).toBe('continue');
    expect(world.stop(RALPH_LOOP_FILE, 'b').decision.kind).toBe('continue');
    const end = world.stop(RALPH_LOOP_FILE, 'c');
    expect(wordsOf(end)).toMatchObject({ sendsBack: false, notice: '🛑 Ralph loop: Max iterations (3) reached.' });
    expect(textOf(world)).toBeUndefined();
  });

  it('allows 20 turns when the maximum is 0 or missing, and reports it', () => {
    for (const text of [recorded('unlimited'), fileWith('completion_promise: null')]) {
      expect(ralphLoop.read(text)).toMatchObject({ iterationsMax: 20 });
    }
    const world = worldWith(recorded('unlimited'));
    expect(wordsOf(world.stop(RALPH_LOOP_FILE, 'a')).notice).toContain('the loop ends at iteration 20');
  });

  it('completes by a tag on a line of its own and is deleted', () => {
    const world = worldWith(recorded('plugin'));
    const end = world.stop(RALPH_LOOP_FILE, 'Finished.\n\n<promise>DONE</promise>');
    expect(wordsOf(end)).toMatchObject({ sendsBack: false, notice: '✅ Ralph loop: Detected <promise>DONE</promise>' });
    expect(textOf(world)).toBeUndefined();
    expect(replyIn('json', wordsOf(world.stop(RALPH_LOOP_FILE, 'Bye.'))).stdout).toBe('{}\n');
  });

  it('accepts no bare word, no negated tag and no quoted prompt as a claim', () => {
    const world = worldWith(recorded('plugin'));
    const prompt = 'Build a todo API.\n\nOutput <promise>DONE</promise> when every test passes.';
    for (const message of ['DONE', 'I will not output <promise>DONE</promise> yet.', prompt, `> ${prompt}`]) {
      expect(world.stop(RALPH_LOOP_FILE, message).decision.kind).toBe('continue');
    }
  });

  it('finds a later tag when the first one is another', () => {
    const world = worldWith(recorded('plugin'));
    const message = '<promise>SOON</promise>\n\n<promise>DONE</promise>';
    expect(world.stop(RALPH_LOOP_FILE, message).decision.kind).toBe('complete');
  });

  it('matches a promise with odd spaces and quotes', () => {
    const world = worldWith(recorded('bound'));
    const message = '<promise>TASK COMPLETE: "all" green</promise>';
    expect(world.stop(RALPH_LOOP_FILE, message, '3f2b8f0e-6a0b-4a52-9a35-5d1d6a3e7c11').decision.kind).toBe('complete');
  });

  it('is unreadable when it is neither switched on nor off', () => {
    const text = (active: string): string =>
      `---\nactive: ${active}\niteration: 1\nmax_iterations: 3\n---\n\nmake it\n`;
    expect(ralphLoop.read(text('yes'))).toEqual({ kind: 'invalid', why: "'active' is not true or false" });
    expect(ralphLoop.read(text('"true"'))).toMatchObject({ active: true });
  });

  it('reads its state only from the front matter, no matter what the prompt contains', () => {
    const found = ralphLoop.read(recorded('bound'));
    expect(found).toMatchObject({ counted: 1, goal: 'Refactor the cache layer.\n---\niteration: 99' });
    const world = worldWith(recorded('bound'));
    world.stop(RALPH_LOOP_FILE, 'a', '3f2b8f0e-6a0b-4a52-9a35-5d1d6a3e7c11');
    expect(textOf(world)).toBe(recorded('bound').replace('iteration: 2', 'iteration: 3'));
  });

  it('counts on when the number is in quotes or far from its key', () => {
    const world = worldWith(recorded('crlf'));
    world.stop(RALPH_LOOP_FILE, 'a');
    expect(textOf(world)).toBe(recorded('crlf').replace('iteration: "1"', 'iteration: 2'));
    const wide = worldWith('---\niteration:    1   # here\nmax_iterations: 5\n---\nGo.\n');
    wide.stop(RALPH_LOOP_FILE, 'a');
    expect(textOf(wide)).toBe('---\niteration:    2   # here\nmax_iterations: 5\n---\nGo.\n');
  });

  it('answers only the session it names, and an empty name is bound to the first', () => {
    const named = worldWith(recorded('bound'));
    expect(named.stop(RALPH_LOOP_FILE, 'a', 'other').decision.kind).toBe('abstain');
    expect(textOf(named)).toBe(recorded('bound'));
    const open = worldWith(recorded('plugin'));
    expect(open.stop(RALPH_LOOP_FILE, 'a', 'one').decision.kind).toBe('continue');
    expect(open.stop(RALPH_LOOP_FILE, 'a', 'two').decision.kind).toBe('abstain');
  });

  it('writes its session where the plugin would: into an empty field, and without quotes', () => {
    for (const [field, after] of [
      ['session_id: ', 'session_id: s-1'],
      ['session_id:', 'session_id: s-1'],
      ['session_id: # whose?', 'session_id: s-1 # whose?'],
      ['session_id: ""', 'session_id: "s-1"'],
      ['other: 1', 'other: 1'],
    ] as const) {
      const world = worldWith(fileWith(`max_iterations: 5\n${field}`));
      world.stop(RALPH_LOOP_FILE, 'a', 's-1');
      expect(textOf(world)).toBe(fileWith(`max_iterations: 5\n${after}`).replace('iteration: 1', 'iteration: 2'));
      world.stop(RALPH_LOOP_FILE, 'b', 's-1');
      expect(world.loop(RALPH_LOOP_FILE)?.state).toMatchObject({ counted: 2, status: 'running' });
    }
    const odd = worldWith(fileWith('max_iterations: 5\nsession_id: '));
    odd.stop(RALPH_LOOP_FILE, 'a', '1e3');
    expect(ralphLoop.read(textOf(odd) ?? '')).toMatchObject({ session: '1e3' });
  });

  it('is switched off by active: false and then kept', () => {
    const world = worldWith(recorded('plugin'));
    world.stop(RALPH_LOOP_FILE, 'a');
    const off = (textOf(world) ?? '').replace('active: true', 'active: false');
    world.files.set(`/project/${RALPH_LOOP_FILE}`, off);
    expect(wordsOf(world.stop(RALPH_LOOP_FILE, 'a'))).toMatchObject({
      sendsBack: false,
      notice: '🛑 Ralph loop: cancelled.',
    });
    expect(textOf(world)).toBe(off);
  });

  it('lets the agent stop when the file is broken, notifies the user, and does not delete it', () => {
    const broken = [
      '---\nmax_iterations: 3\n---\nGo.',
      '---\niteration: many\nmax_iterations: 3\n---\nGo.',
      fileWith('max_iterations: x'),
      fileWith('max_iterations: 3', ''),
      'no front matter',
    ];
    for (const text of broken) {
      const world = worldWith(text);
      const words = wordsOf(world.stop(RALPH_LOOP_FILE, 'a'));
      expect(words.sendsBack).toBe(false);
      expect(words.notice).toContain('cannot be read');
      expect(textOf(world)).toBe(text);
    }
  });

  it('can be written for a loop that has no file yet', () => {
    const world = worldWith(recorded('plugin'));
    const { loaded } = world.stop(RALPH_LOOP_FILE, 'a');
    if (loaded === undefined) throw new Error('no loop');
    const found = ralphLoop.read(newText(loaded));
    expect(found).toMatchObject({ counted: 1, iterationsMax: 20, session: 'session-1', claim: { texts: ['DONE'] } });
    // The plugin's script takes quotes as part of the name.
    expect(newText(loaded)).toContain('\nsession_id: session-1\n');
    const elsewhere = { ...loaded.state, session: { host: 'codex', id: 'x' } };
    expect(newText({ ...loaded, state: elsewhere })).toContain('\nsession_id: \n');
  });
});
