import { expect, it } from 'vitest';
import { aDialectWorld } from '../../test/support/dialect-world.ts';
import { stravinsky } from '../dialects/stravinsky/dialect.ts';
import { embeddedControl } from './control.ts';
import { runSync } from './pipeline.ts';
import { waitToWakeInFile } from './wake-in-file.ts';

const NAME = '.stravinsky/continuation-loop.md';
const TEXT = '---\niteration_count: 1\nmax_iterations: 9\ncompletion_promise: GREEN\nactive: true\n---\nmine\n';

/** The text that wakes the agent of a turn that failed, after `during` happened to its file. */
async function wokenBy(during: (files: Map<string, string>) => void): Promise<string | null> {
  const world = aDialectWorld(stravinsky);
  const path = `/project/${NAME}`;
  world.files.set(path, TEXT);
  world.stop(NAME, 'not yet');
  const failure = { class: 'transient', detail: '500' } as const;
  const control = embeddedControl(world.store, world.effects);
  const loop = world.loop(NAME)?.state.loop ?? 'none';
  const event = { kind: 'turn-failed', failure, iteration: null, worker: null } as const;
  const { loaded: failed } = await control.post(loop, event, { rests: true });
  if (failed === undefined) throw new Error('the loop is gone');
  during(world.files);
  let now = world.effects.readClock().wallMs;
  return waitToWakeInFile(
    failed,
    {
      live: { dialect: stravinsky, path },
      run: async (pipeline) => runSync(pipeline, world.effects),
      textFor: (decision) => JSON.stringify(decision),
    },
    {
      control,
      nowMs: () => now,
      sleep: async (ms) => void (now += ms),
      isClientAlive: () => true,
      transcriptBytes: () => null,
    },
  );
}

it('a failed turn of a loop in a file runs again', async () => {
  expect(await wokenBy(() => undefined)).toContain('"rerun":true');
});

it('a file that is gone or switched off wakes nobody', async () => {
  expect(await wokenBy((files) => files.clear())).toBeNull();
  const off = TEXT.replace('active: true', 'active: false');
  expect(await wokenBy((files) => files.set(`/project/${NAME}`, off))).toBeNull();
});
