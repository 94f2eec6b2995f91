import { expect, it } from 'vitest';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { reserveFile } from '../../src/engine/start-from-file.ts';
import { continueInSession } from '../../src/engine/continue-loop.ts';
import { runSync } from '../../src/engine/pipeline.ts';
import type { UserAdditions } from '../../src/engine/start-from-file.ts';
import { aCheck } from '../support/a-loop.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import { absolute, edit, holding, mustLoad, mustRead, roomy, sessionOf, stop } from '../support/dialect-sample.ts';
import type { DialectWorld } from '../support/dialect-world.ts';
import { PROJECT } from '../support/dialect-world.ts';

const HOUR_MS = 3_600_000;
const EXTRAS: UserAdditions = { checks: [aCheck('unit of mine')], limits: { durationMaxMs: HOUR_MS } };

/** Options of a hook's command count wherever its loop began: in a program, by a command of the user, or under an older command. */
export function lateExtras(dialect: Dialect, sample: DialectSample): void {
  const claimed = (world: DialectWorld): string => {
    if (sample.claimIn !== undefined) edit(world, sample, sample.claimIn);
    return world.stop(sample.file, sample.claimMessage, sessionOf(sample), EXTRAS).decision.kind;
  };
  const expectAsked = (world: DialectWorld): void => {
    const { spec, state } = mustLoad(world, sample);
    expect(spec.checks.map(({ name }) => name)).toContain('unit of mine');
    expect([state.status, state.limits.durationMaxMs]).toEqual(['running', HOUR_MS]);
  };

  it('is not completed by its claim alone when its loop began without the check of the hook', () => {
    const world = holding(dialect, roomy(sample));
    stop(world, sample);
    expect(claimed(world)).toBe('continue');
    expectAsked(world);
    const { revision } = mustLoad(world, sample).head;
    world.stop(sample.file, 'another turn', sessionOf(sample), EXTRAS);
    expect(mustLoad(world, sample).head.revision).toBe(revision + 1);
    edit(world, sample, (text) => (sample.raise === null ? `${text}\n` : sample.raise(text, 70)));
    world.stop(sample.file, sample.claimMessage, sessionOf(sample), EXTRAS);
    expectAsked(world);
  });

  it('is not completed by its claim alone when it waited for its session, which took it by a command', () => {
    const world = holding(dialect, roomy(sample));
    const live = { dialect, path: absolute(sample) };
    const session = { host: 'claude-code', id: sessionOf(sample) };
    const place = { live, cwd: PROJECT, file: sample.file, session };
    const reserved = runSync(reserveFile(place, session, mustRead(dialect, roomy(sample).text)), world.effects);
    expect(reserved.state.status).toBe('pending');
    const { loaded } = runSync(continueInSession(reserved, session, live), world.effects);
    expect(loaded.state.status).toBe('pending');
    expect(claimed(world)).toBe('continue');
    expectAsked(world);
    edit(world, sample, (text) => (sample.raise === null ? `${text}\n` : sample.raise(text, 70)));
    world.stop(sample.file, sample.claimMessage, sessionOf(sample), EXTRAS);
    expectAsked(world);
  });

  it('keeps what a resume says about a limit that the hook added later', () => {
    const world = holding(dialect, roomy(sample));
    const limits: UserAdditions = { limits: { durationMaxMs: HOUR_MS } };
    const durationMs = () => mustLoad(world, sample).state.limits.durationMaxMs;
    stop(world, sample);
    if (durationMs() !== 'unlimited') return;
    world.stop(sample.file, 'another turn', sessionOf(sample), limits);
    expect(durationMs()).toBe(HOUR_MS);
    world.post(sample.file, { kind: 'pause-requested' });
    world.post(sample.file, { kind: 'resume-requested', limits: { durationMaxMs: 'unlimited' } });
    world.stop(sample.file, 'one more', sessionOf(sample), limits);
    expect(durationMs()).toBe('unlimited');
  });
}
