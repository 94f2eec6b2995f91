import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileTasks, stopCheck } from '../../src/facades/loop-mechanics/index.ts';
import { ALL_MET, GOAL, mechanicsFixture } from '../support/mechanics-fixture.ts';

const fixture = mechanicsFixture();

describe('stopCheck', () => {
  it('answers with nothing but ok and reason, and exit code 0', () => {
    expect(stopCheck({ session_id: 's', cwd: fixture.project }, { home: fixture.home })).toEqual({
      stdout: '{"ok":true,"reason":"no active loop"}\n',
      stderr: '',
      exitCode: 0,
    });
    fixture.mechanics().start(GOAL);
    expect(fixture.check()).toEqual({ ok: false, reason: 'unmet: npm test passes, no lint errors' });
  });

  it('is complete with the tag and all criteria', () => {
    fixture.mechanics().start(GOAL);
    fixture.change({ criteriaStatus: ALL_MET });
    expect(fixture.check({ last_assistant_message: '<loop-complete>' })).toEqual({ ok: true, reason: 'complete' });
  });

  it('answers the input of the document, whose last message is in the transcript only', () => {
    fixture.mechanics().start(GOAL);
    const transcript = path.join(fixture.folder, 'abc123.jsonl');
    const lines = ['Go on.', 'Done. <loop-complete>'].map((text, at) => ({
      type: at === 0 ? 'user' : 'assistant',
      message: { id: 'm1', role: at === 0 ? 'user' : 'assistant', content: [{ type: 'text', text }] },
    }));
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const payload = {
      session_id: 'session-1',
      transcript_path: transcript,
      cwd: fixture.project,
      hook_event_name: 'Stop',
      stop_hook_active: true,
    };
    expect(stopCheck(payload, { home: fixture.home }).stdout).toBe(
      '{"ok":false,"reason":"unmet: npm test passes, no lint errors"}\n',
    );
    fixture.change({ criteriaStatus: ALL_MET });
    expect(stopCheck(payload, { home: fixture.home }).stdout).toBe('{"ok":true,"reason":"complete"}\n');
  });

  it('believes the state file, whatever the task says', () => {
    const started = fixture.mechanics().start(GOAL);
    if (started.kind !== 'started') throw new Error(started.kind);
    fileTasks(fixture.home, fixture.project).TaskUpdate(started.task.id, { status: 'completed' });
    expect(fixture.check({ last_assistant_message: '<loop-complete>' })).toMatchObject({ ok: false });
    fileTasks(fixture.home, fixture.project).TaskUpdate(started.task.id, { status: 'in_progress' });
    fixture.change({ criteriaStatus: ALL_MET });
    expect(fixture.check({ last_assistant_message: '<loop-complete>' })).toEqual({ ok: true, reason: 'complete' });
  });

  it('reads the last message from the transcript when it is given a reader', () => {
    fixture.mechanics().start(GOAL);
    fixture.change({ criteriaStatus: ALL_MET });
    const payload = { session_id: 'session-1', cwd: fixture.project, transcript_path: '/t.jsonl' };
    const reply = stopCheck(payload, { home: fixture.home, lastMessageIn: (file) => `${file} <loop-complete>` });
    expect(reply.stdout).toBe('{"ok":true,"reason":"complete"}\n');
  });

  it.each(['', '{', 'null', '{"session_id":"","cwd":"/x"}', '{"cwd":"/x"}'])(
    'lets the agent stop on the input %j',
    (input) => {
      expect(JSON.parse(stopCheck(input, { home: fixture.home }).stdout)).toMatchObject({ ok: true });
    },
  );

  it('lets the agent stop, and says why, when loops cannot be kept', () => {
    fixture.mechanics().start(GOAL);
    writeFileSync(path.join(fixture.folder, 'a-file'), '');
    const payload = { session_id: 'session-1', cwd: fixture.project };
    expect(JSON.parse(stopCheck(payload, { home: path.join(fixture.folder, 'a-file') }).stdout)).toMatchObject({
      ok: true,
      reason: expect.stringContaining('Cannot keep loops') as string,
    });
  });

  it('lets go after three evaluations in a row with stop_hook_active in which nothing moved', () => {
    fixture.mechanics().start(GOAL);
    const answers = [false, true, true, true].map((active) => fixture.check({ stop_hook_active: active }));
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(answers.at(-1)?.reason).toBe('stopped: no-progress (limit 3)');
  });

  it('continues for as many evaluations as the limits allow while steps or criteria move', () => {
    fixture.mechanics().start(GOAL, { maxIterations: 8 });
    const oks = Array.from({ length: 8 }, (_, turn) => {
      fixture.change({ completedSteps: Array.from({ length: turn }, (__, step) => `step ${step}`) });
      return fixture.check({ stop_hook_active: turn > 0 }).ok;
    });
    expect(oks).toEqual([...Array.from({ length: 7 }, () => false), true]);
  });

  it.each(['with git', 'without git'])('continues to the maximum while the agent changes files, %s', (kind) => {
    if (kind === 'with git') execFileSync('git', ['init', '--quiet'], { cwd: fixture.project });
    fixture.mechanics().start(GOAL, { maxIterations: 12 });
    const answers = Array.from({ length: 12 }, (_, turn) => {
      writeFileSync(path.join(fixture.project, `part-${turn}.txt`), `part ${turn}`);
      return fixture.check({ stop_hook_active: turn > 0, last_assistant_message: 'did a part' });
    });
    expect(answers.slice(0, -1).map(({ ok }) => ok)).toEqual(Array.from({ length: 11 }, () => false));
    expect(answers.at(-1)).toMatchObject({ ok: true, reason: 'stopped: iterations-max (limit 12)' });
  });

  it('begins a new row when the user spoke in between', () => {
    fixture.mechanics().start(GOAL);
    const actives = [false, true, true, false, true, true, true];
    expect(actives.map((active) => fixture.check({ stop_hook_active: active }).ok)).toEqual([
      ...Array.from({ length: 6 }, () => false),
      true,
    ]);
  });
});
