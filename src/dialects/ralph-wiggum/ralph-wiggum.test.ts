import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DialectWorld } from '../../../test/support/dialect-world.ts';
import { aDialectWorld } from '../../../test/support/dialect-world.ts';
import type { Loop } from '../../core/journal.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMING } from '../../core/loop.ts';
import type { DialectHandled } from '../../engine/dialect-loop.ts';
import { handleDialectEvent } from '../../engine/dialect-loop.ts';
import { runSync } from '../../engine/pipeline.ts';
import type { Words } from '../dialect.ts';
import { replyIn } from '../dialect.ts';
import { newWiggumFile } from './write.ts';
import { ralphWiggum, ralphWiggumIn } from './dialect.ts';

const FILE = 'AI_Employee_Vault/Ralph_State/RALPH_20260119_abc123.json';
const SAMPLE = readFileSync(
  path.resolve(import.meta.dirname, '../../../test/fixtures/dialects/ralph-wiggum/RALPH_20260119_abc123.json'),
  'utf8',
);

function fileWith(fields: Record<string, unknown>): string {
  const base = { loop_id: 'RALPH_1', prompt: 'Process all invoices...', completion_promise: 'TASK_COMPLETE' };
  return `${JSON.stringify({ ...base, ...fields }, null, 2)}\n`;
}

function worldWith(text: string): DialectWorld {
  const world = aDialectWorld(ralphWiggum);
  world.files.set(`/project/${FILE}`, text);
  return world;
}

function fieldsOf(world: DialectWorld): Record<string, unknown> {
  return JSON.parse(world.files.get(`/project/${FILE}`) ?? '{}') as Record<string, unknown>;
}

function wordsOf({ decision, loaded, reading }: DialectHandled): Words {
  return ralphWiggum.wordsFor({ decision, loop: loaded ?? null, reading });
}

describe('the Ralph Wiggum file', () => {
  it('continues with the prompt and the message of the document', () => {
    const world = worldWith(fileWith({ max_iterations: 10 }));
    const words = wordsOf(world.stop(FILE, 'Processing'));
    expect(words).toMatchObject({
      sendsBack: true,
      text: 'Process all invoices...',
      reason: 'Continuing loop (iteration 1/10)',
    });
    expect(wordsOf(world.stop(FILE, 'Processing')).reason).toBe('Continuing loop (iteration 2/10)');
  });

  it('counts from 0 and allows one turn more than the maximum', () => {
    const world = worldWith(fileWith({ max_iterations: 2 }));
    expect(world.stop(FILE, 'a').decision.kind).toBe('continue');
    expect(world.stop(FILE, 'b').decision.kind).toBe('continue');
    const last = world.stop(FILE, 'c');
    expect(last.decision).toMatchObject({ kind: 'halt', guard: 'iterations-max' });
    expect(wordsOf(last)).toMatchObject({ sendsBack: false, reason: 'Max iterations reached' });
    expect(fieldsOf(world)).toMatchObject({ current_iteration: 2, status: 'max_iterations_reached' });
  });

  it('has a maximum of 10 when it names none', () => {
    expect(ralphWiggum.read(fileWith({}))).toMatchObject({ iterationsMax: 11 });
  });

  it('completes by the exact promise in tags, anywhere in the output', () => {
    for (const no of ['TASK_COMPLETE', '<promise>task_complete</promise>', '<promise>TASK_COMPLETED</promise>']) {
      expect(worldWith(fileWith({})).stop(FILE, no).decision.kind).toBe('continue');
    }
    const world = worldWith(fileWith({}));
    const done = world.stop(FILE, 'All of it. <promise>TASK_COMPLETE</promise> Bye.');
    expect(wordsOf(done)).toMatchObject({ sendsBack: false, reason: 'Completion promise detected' });
    expect(fieldsOf(world)).toMatchObject({ status: 'completed', current_iteration: 1 });
  });

  it('does not take a quoted prompt for the promise', () => {
    const prompt = 'Say <promise>TASK_COMPLETE</promise> at the end.';
    const world = worldWith(fileWith({ prompt }));
    expect(world.stop(FILE, `You asked: ${prompt} I begin.`).decision.kind).toBe('continue');
    expect(world.stop(FILE, `Again: ${prompt} I go on.`).decision.kind).toBe('continue');
  });

  it('completes on the stop that reaches the maximum', () => {
    const world = worldWith(fileWith({ max_iterations: 0 }));
    expect(world.stop(FILE, '<promise>TASK_COMPLETE</promise>').decision.kind).toBe('complete');
  });

  it('is a check of a moved file when it watches one, with Done beside the folder as default', () => {
    const watched = { watch_file: 'Needs_Action/INVOICE_client.md', done_folder: 'Done/' };
    expect(ralphWiggum.read(fileWith(watched))).toMatchObject({
      finish: { kind: 'any', of: [{ kind: 'claim' }, { kind: 'file-moved', name: 'watch_file' }] },
      checks: [{ probe: { kind: 'file-moved', path: 'Needs_Action/INVOICE_client.md', folder: 'Done/' } }],
    });
    const alone = ralphWiggum.read(fileWith({ watch_file: 'Vault/Needs_Action/a.md', completion_promise: null }));
    expect(alone).toMatchObject({
      finish: { kind: 'any', of: [{ kind: 'file-moved', name: 'watch_file' }] },
      checks: [{ probe: { folder: 'Vault/Done' } }],
    });
  });

  it('sends back the bare prompt while the watched file waits', () => {
    const world = worldWith(fileWith({ watch_file: 'Needs_Action/a.md', done_folder: 'Done' }));
    expect(wordsOf(world.stop(FILE, 'hm')).text).toBe('Process all invoices...');
  });

  it('completes when the watched file was moved, also when it is named only later by hand', () => {
    const world = worldWith(fileWith({ max_iterations: 9 }));
    world.stop(FILE, 'hm');
    const moved = { ...world.effects, probe: movedProbe };
    world.files.set(
      `/project/${FILE}`,
      fileWith({ max_iterations: 9, watch_file: 'Needs_Action/a.md', done_folder: 'Done' }),
    );
    const place = {
      live: { dialect: ralphWiggum, path: `/project/${FILE}` },
      cwd: '/project',
      file: FILE,
      session: { host: 'claude-code', id: 'session-1' },
    };
    const event = { kind: 'turn-ended', iteration: null, worker: null } as const;
    const done = runSync(handleDialectEvent(place, event, { message: 'moved it' }), moved);
    expect(done.decision).toMatchObject({ kind: 'complete', verified: false });
    expect(wordsOf(done).reason).toBe('Task file moved to Done');
  });

  it('lists each iteration with a preview of its output, and nothing else of the file changes', () => {
    const world = worldWith(SAMPLE);
    world.stop(FILE, 'Processed invoice 4.');
    const expected = SAMPLE.replace('"current_iteration": 3', '"current_iteration": 4').replace(
      '      "completed": false\n    }\n',
      `      "completed": false\n    },\n    {\n      "number": 4,\n      "timestamp": "${world.loop(FILE)?.state.updatedAt}",\n      "output_preview": "Processed invoice 4.",\n      "completed": false\n    }\n`,
    );
    expect(world.files.get(`/project/${FILE}`)).toBe(expected);
    world.stop(FILE, `${'long '.repeat(100)}<promise>TASK_COMPLETE</promise>`);
    const [, , last] = fieldsOf(world)['iterations'] as {
      output_preview: string;
      completed: boolean;
      number: number;
    }[];
    expect(last).toMatchObject({ number: 5, completed: true });
    expect(last?.output_preview).toMatch(/^(?:long ?)+\.\.\.$/);
  });

  it('knows the six statuses, and only the first three are loops', () => {
    const active = (status: string): unknown => {
      const found = ralphWiggum.read(fileWith({ status }));
      return found.kind === 'loop' ? found.active : found.kind;
    };
    expect(['pending', 'running', 'paused_awaiting_approval'].map(active)).toEqual([true, true, true]);
    expect(['completed', 'max_iterations_reached', 'stopped'].map(active)).toEqual([false, false, false]);
    expect(active('sleeping')).toBe('invalid');
  });

  it.each([
    [{ status: 'done' }, /"status" must be one of pending, running, /u],
    [{ max_iterations: '10' }, /"max_iterations" must be a whole number/u],
    [{ prompt: '' }, /"prompt" must be a string that is not empty/u],
    [{ timeout: 1e9 }, /"timeout" must be seconds, 86400 at most/u],
  ])('says what is wrong with a file that it cannot read: %o', (fields, why) => {
    expect(ralphWiggum.read(fileWith(fields))).toMatchObject({ kind: 'invalid', why: expect.stringMatching(why) });
  });

  it('runs from the first stop on, when it was pending', () => {
    const world = worldWith(fileWith({ status: 'pending' }));
    world.stop(FILE, 'hm');
    expect(fieldsOf(world)['status']).toBe('running');
  });

  it('is stopped by hand', () => {
    const world = worldWith(fileWith({ status: 'running' }));
    world.stop(FILE, 'hm');
    world.files.set(`/project/${FILE}`, fileWith({ status: 'stopped', current_iteration: 1 }));
    expect(wordsOf(world.stop(FILE, 'hm'))).toMatchObject({ sendsBack: false, reason: 'Loop stopped by hand' });
    expect(world.loop(FILE)?.state.status).toBe('cancelled');
  });

  it('has a timeout of 3600 s and a pause of 1 s, unless the file says otherwise', () => {
    expect(ralphWiggum.read(fileWith({}))).toMatchObject({
      durationMaxMs: 3_600_000,
      timing: { pauseBetweenMs: 1000 },
    });
    const text = fileWith({ timeout: 2, pause_between_iterations: 0, max_iterations: 50 });
    const world = worldWith(text);
    expect(world.stop(FILE, 'a').decision).toMatchObject({ kind: 'continue', delayMs: 0 });
    expect(world.stop(FILE, 'b').decision.kind).toBe('continue');
    const late = world.stop(FILE, 'c');
    expect(late.decision).toMatchObject({ kind: 'halt', guard: 'duration-max', limit: 2000 });
    expect(wordsOf(late).reason).toBe('Timeout reached');
    expect(fieldsOf(world)).toMatchObject({ status: 'stopped', errors: [{ type: 'duration-max' }] });
  });

  it('ends only by its limits without a promise and a file', () => {
    const world = worldWith(fileWith({ completion_promise: null, max_iterations: 1 }));
    expect(world.stop(FILE, '<promise></promise><promise>null</promise>').decision.kind).toBe('continue');
    expect(world.stop(FILE, 'done').decision.kind).toBe('halt');
  });

  it('completes only with the checks of the user, when there are some', () => {
    const check = {
      name: 'tests',
      probe: { kind: 'command', command: 'npm test' },
      timeoutMs: 1000,
      holdout: false,
    } as const;
    const world = worldWith(fileWith({}));
    const refused = world.stop(FILE, '<promise>TASK_COMPLETE</promise>', 'session-1', { checks: [check] });
    expect(refused.decision).toMatchObject({ kind: 'continue', unmet: [{ kind: 'check', name: 'tests' }] });
    world.files.set(`/project/${FILE}`, fileWith({ current_iteration: 1, max_iterations: 7 }));
    expect(world.stop(FILE, '<promise>TASK_COMPLETE</promise>').decision.kind).toBe('continue');
  });

  it('takes every RALPH_*.json of the folder, which can be another one', () => {
    const list = (folder: string): string[] =>
      folder === 'Box' ? ['RALPH_2.json', 'notes.json', 'RALPH_1.json', 'RALPH_1.json.bak'] : [];
    expect(ralphWiggumIn('Box').filesFor({ session: 's', list })).toEqual(['Box/RALPH_1.json', 'Box/RALPH_2.json']);
    expect(ralphWiggum.filesFor({ session: 's', list })).toEqual([]);
  });

  it('answers a shell in JSON, with the message for the user', () => {
    const world = worldWith(fileWith({}));
    expect(JSON.parse(replyIn('json', wordsOf(world.stop(FILE, 'hm'))).stdout)).toEqual({
      decision: 'block',
      reason: 'Process all invoices...',
      systemMessage: 'Continuing loop (iteration 1/10)',
    });
  });

  it('can be written for a loop that has no file yet', () => {
    const world = worldWith(SAMPLE);
    world.stop(FILE, 'hm');
    const loaded = world.loop(FILE);
    if (loaded === undefined) throw new Error('no loop');
    expect(ralphWiggum.read(newWiggumFile(loaded))).toMatchObject({
      active: true,
      goal: 'Process all invoices...',
      counted: 4,
      iterationsMax: 11,
      claim: { texts: ['TASK_COMPLETE'] },
      durationMaxMs: 3_600_000,
      timing: { pauseBetweenMs: 1000 },
      session: 'session-1',
    });
    const { state } = loaded;
    const endless = { ...state, limits: { ...state.limits, iterationsMax: 'unlimited', durationMaxMs: 'unlimited' } };
    const written = ralphWiggum.read(newWiggumFile({ ...loaded, state: { ...endless, counted: 50 } } as Loop));
    expect(written).toMatchObject({ active: true, counted: 50, iterationsMax: 10_001, durationMaxMs: 86_400_000 });
    const usual = { ...DEFAULT_LIMITS, iterationsMax: 3 };
    const plain = newWiggumFile({
      ...loaded,
      spec: { ...loaded.spec, timing: DEFAULT_TIMING },
      state: { ...state, limits: usual },
    });
    expect(ralphWiggum.read(plain)).toMatchObject({ durationMaxMs: 3_600_000, timing: { pauseBetweenMs: 1000 } });
    const elsewhere = { ...state, session: { host: 'codex', id: 'x' }, status: 'pending' } as const;
    expect(JSON.parse(newWiggumFile({ ...loaded, state: elsewhere }))).toMatchObject({ status: 'pending' });
    expect(ralphWiggum.read(newWiggumFile({ ...loaded, state: elsewhere }))).toMatchObject({ session: null });
  });
});

const movedProbe: DialectWorld['effects']['probe'] = (batch) =>
  batch.requests.map((request) =>
    request.kind === 'check'
      ? { kind: 'check', result: { name: request.check.name, result: 'passed', durationMs: 1, tail: '' } }
      : { kind: 'workspace', fingerprint: 'tree' },
  );
