import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aClock } from '../../test/support/a-loop.ts';
import { begin } from '../../test/support/drafts.ts';
import { activityLog } from './activity.ts';
import { openFileStore } from './file-store.ts';
import { readHeartbeat, writeHeartbeat } from './heartbeat.ts';
import { filesOf } from './loop-files.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'tireless-activity-'));
  begin(openFileStore({ home }), 'a');
});
afterEach(() => rmSync(home, { recursive: true }));

describe('activity', () => {
  it('gives back its last lines, oldest first', () => {
    const log = activityLog(home, 'a');
    for (const line of ['one', 'zwei ü', 'three']) expect(log.append(line)).toBe(true);

    expect(activityLog(home, 'a').readTail()).toEqual(['one', 'zwei ü', 'three']);
    expect(activityLog(home, 'a').readTail(8)).toEqual(['three']);
    expect(activityLog(home, 'none').readTail()).toEqual([]);
  });

  it('stays bounded, and keeps what came last', () => {
    const log = activityLog(home, 'a');
    const line = 'x'.repeat(1024 * 1024);
    for (let index = 0; index < 40; index += 1) log.append(`${index} ${line}`);
    const files = filesOf(home, 'a');

    expect(statSync(files.activity).size + statSync(files.activityBefore).size).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(log.readTail(3 * 1024 * 1024).map((text) => text.slice(0, 2))).toEqual(['38', '39']);
  });

  it('leaves out a line that is not whole yet', () => {
    writeFileSync(filesOf(home, 'a').activity, 'one\ntwo\nthr');
    expect(activityLog(home, 'a').readTail()).toEqual(['one', 'two']);
  });

  it('reads on where it stopped, also when the log began a new file meanwhile', () => {
    const log = activityLog(home, 'a');
    const read = log.reader();
    expect(read()).toEqual([]);
    log.append('one');
    expect(read()).toEqual(['one']);
    appendFileSync(filesOf(home, 'a').activity, 'tw');
    expect(read()).toEqual([]);
    appendFileSync(filesOf(home, 'a').activity, 'o\n');
    expect(read()).toEqual(['two']);
    log.append('x'.repeat(8 * 1024 * 1024 - 100));
    log.append('y'.repeat(200));
    log.append('three');
    expect(read().map((line) => line.slice(0, 5))).toEqual(['xxxxx', 'yyyyy', 'three']);
    expect(activityLog(home, 'a').reader()()).toHaveLength(5);
  });

  it('notes that its oldest part was dropped', () => {
    const log = activityLog(home, 'a');
    const line = 'x'.repeat(5 * 1024 * 1024);
    for (let index = 0; index < 2; index += 1) log.append(line);
    expect(
      log
        .reader()()
        .filter((each) => each.includes('dropped')),
    ).toEqual([]);
    log.append(line);
    expect(
      log
        .reader()()
        .filter((each) => each.includes('dropped')),
    ).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('is for its user alone', () => {
    activityLog(home, 'a').append('one');
    expect(statSync(filesOf(home, 'a').activity).mode & 0o777).toBe(0o600);
  });

  it('says when it could not write, and throws nothing', () => {
    expect(activityLog(home, 'none').append('lost')).toBe(false);
    expect(readdirSync(path.join(home, 'loops'))).toEqual(['a']);
  });
});

describe('heartbeat', () => {
  it('gives back the last one', () => {
    expect(readHeartbeat(home, 'a')).toBeNull();
    expect(writeHeartbeat(home, 'a', aClock(1))).toBe(true);
    expect(writeHeartbeat(home, 'a', aClock(2))).toBe(true);
    expect(readHeartbeat(home, 'a')).toEqual(aClock(2));
  });

  it.each(['', '{', '[]', 'null', '{"wallMs":1,"monotonicMs":"2","boot":"b"}'])(
    'counts as missing when it contains %j',
    (text) => {
      writeFileSync(filesOf(home, 'a').heartbeat, text);
      expect(readHeartbeat(home, 'a')).toBeNull();
    },
  );

  it('says when it could not write, and throws nothing', () => {
    expect(writeHeartbeat(home, 'none', aClock())).toBe(false);
  });
});
