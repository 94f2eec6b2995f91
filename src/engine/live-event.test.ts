import { describe, expect, it } from 'vitest';
import { aCheck } from '../../test/support/a-loop.ts';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import { ralphWiggum } from '../dialects/ralph-wiggum/dialect.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { handleLiveEvent } from './live-event.ts';
import { runSync } from './pipeline.ts';

const NAME = '.stravinsky/continuation-loop.md';
const FILE = `/project/${NAME}`;
const text = (count: number, maximum: number, active = true): string =>
  `---\niteration_count: ${count}\nmax_iterations: ${maximum}\ncompletion_promise: GREEN\nactive: ${active}\n---\nmine\n`;

function aRunningLoop() {
  const world = aDialectWorld(stravinsky);
  world.files.set(FILE, text(1, 4));
  world.stop(NAME, 'not yet');
  const loop = world.loop(NAME)?.state.loop ?? '';
  const live = { dialect: stravinsky, path: FILE };
  return {
    files: world.files,
    stateNow: () => world.loop(NAME)?.state,
    post: (event: Parameters<typeof handleLiveEvent>[1]) =>
      runSync(handleLiveEvent(loop, event, {}, live), world.effects),
  };
}

describe('handleLiveEvent', () => {
  it('says in the file what happened from outside', () => {
    const { post, files } = aRunningLoop();
    expect(post({ kind: 'cancel-requested' }).decision).toEqual({ kind: 'cancel' });
    expect(files.get(FILE)).toBe(text(2, 4, false));
  });

  it('counts a hand edit before the event, so that it is not lost', () => {
    const { post, files, stateNow } = aRunningLoop();
    files.set(FILE, text(2, 40));
    post({ kind: 'steering-given', text: 'hurry' });
    expect(stateNow()).toMatchObject({ limits: { iterationsMax: 39 }, steering: ['hurry'] });
  });

  it('takes a deleted file for a cancel, whoever asks', () => {
    for (const kind of ['cancel-requested', 'pause-requested'] as const) {
      const { post, files, stateNow } = aRunningLoop();
      files.delete(FILE);
      post({ kind });
      expect(stateNow()?.status).toBe('cancelled');
      expect(files.has(FILE)).toBe(false);
    }
  });

  it('takes a file that says completed for the end that a cancel asks for', () => {
    const name = 'AI_Employee_Vault/Ralph_State/RALPH_1.json';
    const world = aDialectWorld(ralphWiggum);
    const inFile = (status: string): string =>
      JSON.stringify({ loop_id: 'RALPH_1', prompt: 'mine', completion_promise: 'GREEN', status });
    world.files.set(`/project/${name}`, inFile('running'));
    world.stop(name, 'not yet');
    world.files.set(`/project/${name}`, inFile('completed'));
    expect(world.post(name, { kind: 'cancel-requested' }).decision).toMatchObject({ kind: 'complete' });
    expect(world.loop(name)?.state.status).toBe('completed');
  });

  it('starts the loop of a new file with the checks and limits of the hook', () => {
    const world = aDialectWorld(stravinsky);
    const extras = {
      checks: [aCheck('unit')],
      limits: { durationMaxMs: 60_000, noProgressMax: 2 },
      room: { keep: ['build'], free: [] },
    };
    world.files.set(FILE, text(1, 9));
    for (const message of ['one', 'two']) world.stop(NAME, message, 'session-1', extras);
    world.files.set(FILE, text(1, 4).replace('mine', 'another goal'));
    world.post(NAME, { kind: 'pause-requested' });
    const { spec, state } = world.loop(NAME) ?? {};
    expect(spec).toMatchObject({ goal: 'another goal', checks: [{ name: 'unit' }], room: { keep: ['build'] } });
    expect(state).toMatchObject({
      loop: 'loop-2',
      limits: { durationMaxMs: 60_000, noProgressMax: 2, iterationsMax: 3 },
    });
  });

  it('leaves an unreadable file alone and continues by the journal', () => {
    const { post, files, stateNow } = aRunningLoop();
    files.set(FILE, 'half writ');
    expect(post({ kind: 'pause-requested' }).decision).toMatchObject({ kind: 'pause' });
    expect(files.get(FILE)).toBe('half writ');
    expect(stateNow()?.status).toBe('paused');
  });
});
