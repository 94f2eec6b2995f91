/** Progress callbacks for any loop in a home directory, by what the package root exports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FileStore, Milestone } from '../../src/index.ts';
import { handleEvent, onMilestone, openFileStore, runSync, startLoop } from '../../src/index.ts';
import { handleDialectEvent } from '../../src/engine/dialect-loop.ts';
import { loopOfFile } from '../../src/engine/loop-of-file.ts';
import type { Effects } from '../../src/engine/ports.ts';
import { countTurn } from '../../src/stores/day-turns.ts';
import { fileEffects } from '../../src/system/file-effects.ts';
import { systemClock } from '../../src/system/clock.ts';
import { sha256 } from '../../src/system/ids.ts';
import { allDialects } from '../support/all-dialects.ts';
import { aSpec } from '../support/a-loop.ts';
import { aProject } from '../support/a-project.ts';
import { activeReading, roomy, sessionOf } from '../support/dialect-sample.ts';

function aHome(): { readonly store: FileStore; readonly effects: Effects } {
  const home = mkdtempSync(path.join(tmpdir(), 'tireless-milestones-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = openFileStore({ home });
  onTestFinished(() => store.close());
  const clock = systemClock();
  let looks = 0;
  const effects: Effects = {
    ...store,
    ...fileEffects(clock),
    countTurn: (project, day) => countTurn(home, project, day),
    readClock: clock.read,
    probe: ({ requests }) => requests.map(() => ({ kind: 'workspace', fingerprint: `tree-${++looks}` })),
  };
  return { store, effects };
}

/** What is told from now on, as words. */
function listening(store: FileStore, loop: string): readonly string[] {
  const told: string[] = [];
  const words = (each: Milestone): string =>
    each.kind === 'iteration-counted'
      ? `iteration ${each.iteration}`
      : each.kind === 'ended'
        ? each.outcome.kind
        : each.kind;
  const { stop } = onMilestone(store, loop, {
    notify: (milestone) => void told.push(words(milestone)),
    failed: (error) => expect.fail(String(error)),
  });
  onTestFinished(stop);
  return told;
}

const DIALECTS = await allDialects();
const soon = { timeout: 10_000 };

describe('onMilestone of the package', () => {
  it('tells of a native loop in a session', async () => {
    const { store, effects } = aHome();
    const spec = aSpec({ driver: 'session' });
    const session = { host: 'claude-code', id: 's' };
    runSync(startLoop({ loop: 'native', spec, session, cwd: aProject(), machine: 'm' }), effects);
    runSync(handleEvent('native', { kind: 'baseline-taken' }), effects);
    const told = listening(store, 'native');
    const stop = (message: string): unknown =>
      runSync(handleEvent('native', { kind: 'turn-ended', iteration: null, worker: null }, { message }), effects);
    await vi.waitFor(() => expect(told).toEqual([]), soon);
    stop('not yet');
    await vi.waitFor(() => expect(told).toEqual(['iteration 1']), soon);
    stop('<promise>DONE</promise>');
    await vi.waitFor(() => expect(told).toEqual(['iteration 1', 'iteration 2', 'completed']), soon);
  });

  it.each(DIALECTS)('tells of a loop in the state file of $dialect.name', async ({ dialect, samples }) => {
    const found = samples.find(({ text }) => activeReading(dialect.read(text)) !== undefined);
    if (found === undefined) throw new Error('no sample is active');
    const sample = roomy(found);
    const { store, effects } = aHome();
    const cwd = aProject({ [sample.file]: sample.text });
    const live = { dialect, path: path.join(cwd, sample.file) };
    const place = { live, cwd, file: sample.file, session: { host: 'claude-code', id: sessionOf(sample) } };
    let size = 0;
    const stop = (message: string): string => {
      const mark = { messageHash: sha256(message), transcriptBytes: ++size };
      const event = { kind: 'turn-ended', iteration: null, worker: null, mark } as const;
      return runSync(handleDialectEvent(place, event, { message }), effects).decision.kind;
    };
    expect(stop('before anyone listens')).toBe('continue');
    const loaded = runSync(loopOfFile({ live }), effects);
    const first = loaded?.state.counted ?? 0;
    const told = listening(store, loaded?.state.loop ?? '');
    await vi.waitFor(() => expect(told).toEqual([]), soon);
    expect(stop('not yet')).toBe('continue');
    await vi.waitFor(() => expect(told).toEqual([`iteration ${first + 1}`]), soon);
    const bytes = effects.readFile(live.path);
    if (sample.claimIn !== undefined)
      effects.replaceFile(live.path, bytes?.hash ?? null, sample.claimIn(bytes?.text ?? ''));
    expect(stop(sample.claimMessage)).toBe('complete');
    await vi.waitFor(() => expect(told.at(-1)).toBe('completed'), soon);
    expect(told).toContain(`iteration ${first + 2}`);
  });
});
