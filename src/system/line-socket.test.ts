import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

describe('a line socket', () => {
  it('answers line by line, whatever is in the line', async () => {
    const at = await serving((line) => `got ${line}`);
    expect(await askLine(at, 'Ünï "x" \\n', 5000)).toEqual({ kind: 'answered', line: 'got Ünï "x" \\n' });
  });

  it('handles the lines of all clients one after another', async () => {
    let inside = 0;
    const seen: number[] = [];
    const at = await serving((line) => {
      seen.push(++inside);
      inside -= 1;
      return line;
    });
    const lines = Array.from({ length: 50 }, (_, index) => String(index));
    const answers = await Promise.all(lines.map((line) => askLine(at, line, 5000)));
    expect(answers).toEqual(lines.map((line) => ({ kind: 'answered', line })));
    expect(seen.every((count) => count === 1)).toBe(true);
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

  it('sends a client away that sends too much, and goes on', async () => {
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
