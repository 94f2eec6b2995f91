import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askLine, LINE_BYTES_MAX, serveLines, type LineAnswer } from './line-socket.ts';

function aPath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'ts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 's');
}

async function serving(answer: (line: string) => LineAnswer, at = aPath()): Promise<string> {
  const server = await serveLines(at, answer);
  onTestFinished(() => server.close());
  return at;
}

/** The answers that one client gets for lines sent all at once. */
function linesFrom(at: string, lines: readonly string[]): Promise<string[]> {
  const client = connect(at);
  onTestFinished(() => void client.destroy());
  return new Promise((resolve, reject) => {
    let text = '';
    client.on('error', reject);
    client.on('data', (data) => {
      text += String(data);
      const got = text.split('\n').slice(0, -1);
      if (got.length === lines.length) resolve(got);
    });
    client.write(lines.map((line) => `${line}\n`).join(''));
  });
}

describe('a line socket', () => {
  it('answers line by line, whatever is in the line', async () => {
    const at = await serving((line) => `got ${line}`);
    expect(await askLine(at, 'Ünï "x" \\n', 5000)).toEqual({ kind: 'answered', line: 'got Ünï "x" \\n' });
  });

  it('handles the lines of all clients one after another', async () => {
    const handled: string[] = [];
    const at = await serving((line) => {
      // The answer shows the place in the queue; if a second line were let in early, it would have the same place.
      const place = handled.length;
      handled.push(line);
      return `${place} ${line}`;
    });
    const names = Array.from({ length: 5 }, (_, client) => `client ${client}`);
    const perClient = await Promise.all(
      names.map((name) =>
        linesFrom(
          at,
          Array.from({ length: 10 }, (_, nth) => `${name}: ${nth}`),
        ),
      ),
    );
    expect(handled).toHaveLength(50);
    expect(perClient.flat().toSorted()).toEqual(handled.map((line, place) => `${place} ${line}`).toSorted());
    for (const answers of perClient)
      expect(answers.map((line) => line.at(-1))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('is not held up by an answer that comes later', async () => {
    let finish: (text: string) => void = () => undefined;
    const later = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const at = await serving((line) => (line === 'slow' ? { later } : 'now'));
    const slow = askLine(at, 'slow', 5000);
    expect(await askLine(at, 'fast', 5000)).toEqual({ kind: 'answered', line: 'now' });
    finish('then');
    expect(await slow).toEqual({ kind: 'answered', line: 'then' });
  });

  it('is silent, in time, when nobody is there, nobody answers, or the other side goes away', async () => {
    expect(await askLine(aPath(), 'x', 5000)).toMatchObject({ kind: 'silent' });
    const mute = await serving(() => ({ later: new Promise(() => undefined) }));
    expect(await askLine(mute, 'x', 20)).toMatchObject({ kind: 'silent', why: expect.stringContaining('20 ms') });
    const at = aPath();
    const server = await serveLines(at, () => ({ later: new Promise(() => undefined) }));
    const asked = askLine(at, 'x', 5000);
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    expect(await asked).toMatchObject({ kind: 'silent' });
  });

  it.skipIf(process.platform === 'win32')('refuses a path that the system would cut off, on both sides', async () => {
    const folder = path.dirname(aPath());
    const at = path.join(folder, 'é'.repeat(50), 's'.repeat(20));
    await expect(serveLines(at, (line) => line)).rejects.toMatchObject({
      code: 'SOCKET_UNUSABLE',
      message: expect.stringContaining('longer than'),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await askLine(at, 'x', 5000)).toMatchObject({ kind: 'silent', why: expect.stringContaining('longer than') });
  });

  it('disconnects a client that sends too much, and continues', async () => {
    const at = await serving((line) => line);
    expect(await askLine(at, 'x'.repeat(LINE_BYTES_MAX + 1), 5000)).toMatchObject({ kind: 'silent' });
    expect(await askLine(at, 'y', 5000)).toEqual({ kind: 'answered', line: 'y' });
  });

  it('puts a line together from pieces, and takes several from one piece', async () => {
    const at = await serving((line) => line.toUpperCase());
    const client = connect(at);
    onTestFinished(() => void client.destroy());
    const got = new Promise<string>((resolve) => {
      let text = '';
      client.on('data', (data) => {
        text += String(data);
        if (text.split('\n').length > 3) resolve(text);
      });
    });
    client.write('on');
    setImmediate(() => client.write('e\ntwo\nthree\n'));
    expect(await got).toBe('ONE\nTWO\nTHREE\n');
  });

  it.runIf(process.platform !== 'win32')('is for its user only, and leaves with its server', async () => {
    const at = aPath();
    const server = await serveLines(at, (line) => line);
    expect(statSync(at).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(at)).toBe(false);
  });

  it.runIf(process.platform !== 'win32')('takes over what a killed program left behind, and nothing else', async () => {
    const at = aPath();
    const dying = `require('node:net').createServer().listen(${JSON.stringify(at)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', dying]);
    expect(existsSync(at)).toBe(true);
    await serving((line) => line, at);
    await expect(serveLines(at, (line) => line)).rejects.toMatchObject({ code: 'SOCKET_UNUSABLE' });
    expect(await askLine(at, 'still mine', 5000)).toMatchObject({ line: 'still mine' });
    const file = aPath();
    writeFileSync(file, 'a text');
    await expect(serveLines(file, (line) => line)).rejects.toMatchObject({ code: 'SOCKET_UNUSABLE' });
    expect(statSync(file).isFile()).toBe(true);
  });
});
