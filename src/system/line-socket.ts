/**
 * Questions and answers over a local socket (a named pipe on Windows): one line of text each. Both sides are bounded in bytes and in
 * time; the server answers the lines of all its clients one after another, in the order in which they arrived completely.
 */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Fault } from '../core/fault.ts';
import { errnoOf } from './errno.ts';

/** Hook events contain tool results; anything larger than this is not a hook event. */
export const LINE_BYTES_MAX: number = 8 * 1024 * 1024;
const PROBE_TIMEOUT_MS = 500;
/** The system truncates a longer path without an error, and two long paths are then the same socket. Windows pipes have no such limit. */
const PATH_BYTES_MAX = process.platform === 'win32' ? Infinity : process.platform === 'linux' ? 107 : 103;

export type LineServer = {
  /** Closes the socket and disconnects every client. */
  readonly close: () => Promise<void>;
};

/** An answer now, or a later one that does not hold up the lines after it. */
export type LineAnswer = string | { readonly later: Promise<string> };

/** The next line waits until `answer` returns. `answer` must not throw, nor may `later` reject. A client that sends too much is disconnected. */
export async function serveLines(path: string, answer: (line: string) => LineAnswer): Promise<LineServer> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    // A client that has disconnected no longer needs its answer.
    client.on('error', () => client.destroy());
    const reply = (text: string): void => {
      if (client.writable) client.write(`${text}\n`);
    };
    onLines(client, (line) => {
      const answered = answer(line);
      if (typeof answered === 'string') reply(answered);
      else void answered.later.then(reply);
    });
  });
  await listen(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        for (const client of clients) client.destroy();
        server.close(() => resolve());
      }),
  };
}

export type SocketAnswer =
  | { readonly kind: 'answered'; readonly line: string }
  | { readonly kind: 'silent'; readonly why: string };

/** The answer to one line; `silent` if none arrives in time, or not in one bounded line. Never rejects. */
export function askLine(path: string, line: string, timeoutMs: number): Promise<SocketAnswer> {
  const tooLong = pathTooLong(path);
  if (tooLong !== null) return Promise.resolve({ kind: 'silent', why: `no answer at ${path}: ${tooLong}` });
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answered: SocketAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answered);
    };
    const silent = (why: string): void => end({ kind: 'silent', why: `no answer at ${path}: ${why}` });
    const timer = setTimeout(() => silent(`not within ${timeoutMs} ms`), timeoutMs);
    socket.on('error', (error) => silent(errnoOf(error) ?? error.message));
    socket.on('close', () => silent('the connection was closed'));
    onLines(socket, (answer) => end({ kind: 'answered', line: answer }));
    socket.on('connect', () => socket.write(`${line}\n`));
  });
}

function onLines(socket: Socket, take: (line: string) => void): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  socket.on('data', (data: Buffer) => {
    let rest = data;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      const line = Buffer.concat([...chunks, rest.subarray(0, at)]);
      rest = rest.subarray(at + 1);
      chunks = [];
      bytes = 0;
      if (line.length > LINE_BYTES_MAX) return void socket.destroy();
      take(line.toString('utf8'));
    }
    chunks.push(rest);
    bytes += rest.length;
    if (bytes > LINE_BYTES_MAX) socket.destroy();
  });
}

/** A socket file left by a killed program is replaced; one that still answers is not. */
async function listen(server: Server, path: string): Promise<void> {
  const tooLong = pathTooLong(path);
  if (tooLong !== null) throw unusable(path, tooLong);
  try {
    await tryListen(server, path);
  } catch (error) {
    const isStale = errnoOf(error) === 'EADDRINUSE' && isSocketFile(path) && !(await isAnswering(path));
    if (!isStale) throw unusable(path, error);
    rmSync(path, { force: true });
    try {
      await tryListen(server, path);
    } catch (again) {
      throw unusable(path, again);
    }
  }
  // Whoever can connect can control the agent, so only the user may.
  if (process.platform !== 'win32') chmodSync(path, 0o600);
}

/** `null` = short enough. */
function pathTooLong(path: string): string | null {
  return Buffer.byteLength(path) > PATH_BYTES_MAX ? `the path is longer than ${PATH_BYTES_MAX} bytes` : null;
}

function tryListen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isSocketFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end(true));
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

function unusable(path: string, cause: unknown): Fault {
  const why = errnoOf(cause) ?? String(cause);
  return new Fault(
    'SOCKET_UNUSABLE',
    `Cannot listen at ${path}: ${why}. Close what listens there, or choose a shorter path in your own directory.`,
    { cause },
  );
}
