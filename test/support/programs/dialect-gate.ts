/**
 * Loaded before any program (`node --import`), it holds that program at one moment of its work with the files until someone kills it, and the program
 * needs no change for it. `DIALECT_GATE` is JSON: the moment, which occurrence (from 1) and the live file. Writes `here` to file descriptor 3 and
 * waits.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import * as z from 'zod/mini';

/** In the order in which a stop reaches them. */
const MOMENTS = ['before-append', 'before-sync', 'before-temporary', 'before-rename', 'after-rename'] as const;
export type Moment = (typeof MOMENTS)[number];

const gateSchema = z.object({ moment: z.enum(MOMENTS), passing: z.number(), file: z.string() });
const gate = gateSchema.parse(JSON.parse(process.env['DIALECT_GATE'] ?? ''));

const { openSync, writeSync, fdatasyncSync, renameSync } = fs;
const opened = new Map<number, string>();
let passed = 0;

fs.openSync = (file, ...rest): number => {
  const { dir, base } = path.parse(gate.file);
  const name = String(file);
  if (path.dirname(name) === dir && path.basename(name).startsWith(`.${base}.`)) pass('before-temporary');
  const descriptor = openSync(file, ...rest);
  opened.set(descriptor, name);
  return descriptor;
};
fs.writeSync = ((descriptor: number, ...rest: [Uint8Array]): number => {
  if (isJournal(descriptor)) pass('before-append');
  return writeSync(descriptor, ...rest);
}) as typeof fs.writeSync;
fs.fdatasyncSync = (descriptor) => {
  if (isJournal(descriptor)) pass('before-sync');
  fdatasyncSync(descriptor);
};
fs.renameSync = (from, to) => {
  if (to === gate.file) pass('before-rename');
  renameSync(from, to);
  if (to === gate.file) pass('after-rename');
};
syncBuiltinESMExports();

function isJournal(descriptor: number): boolean {
  return opened.get(descriptor)?.endsWith('journal.jsonl') === true;
}

function pass(moment: Moment): void {
  if (moment === gate.moment) passed += 1;
  if (moment !== gate.moment || passed !== gate.passing) return;
  writeSync(3, 'here\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
