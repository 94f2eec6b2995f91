// @ts-check
/** Setup file of the run that learns which test file reaches which code: the marks are saved after each test file. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

/** @type {Set<string>} */
const reached = new Set();
Reflect.set(globalThis, 'tirelessReach', reached);

let began = 0;
beforeAll(() => {
  began = performance.now();
});

afterAll(() => {
  const file = expect.getState().testPath ?? '';
  const folder = process.env['TIRELESS_REACH_FOLDER'] ?? '';
  const name = createHash('sha256').update(file).digest('hex');
  const ms = Math.round(performance.now() - began);
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ file, ms, reached: [...reached] }));
});
