import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DamageReport } from '../support/dialect-harm.ts';
import { damageReport, DAMAGES, harmIn, harmMidway, midwayOf } from '../support/dialect-harm.ts';
import type { DialectSample } from '../support/dialect-sample.ts';
import { roomy } from '../support/dialect-sample.ts';

/** Broken and odd files: never a crash, never a loop on a broken one, never a loss of the user's text. */
export type Depth = {
  /** Damages every so many bytes. Every byte takes minutes over all dialects. */
  readonly stride: number;
  readonly runs: number;
  readonly judge: (asked: Asked) => DamageReport | Promise<DamageReport>;
};
/** A prime, so that it meets every kind of byte. */
export const EVERYDAY: Depth = {
  stride: 401,
  runs: 10,
  judge: ({ dialect, sample, begun, stride }) => damageReport(dialect, sample, begun, stride),
};
/** In their own processes, to use all cores. */
export const EVERY_BYTE: Depth = { stride: 1, runs: 200, judge: judgedApart };

type Asked = {
  readonly dialect: Dialect;
  readonly sample: DialectSample;
  /** The sample whose loop is running when the damaged file replaces its file. */
  readonly begun: DialectSample;
  readonly stride: number;
};

const PROGRAM = path.join(import.meta.dirname, '../../dist-test/damage-dialect.mjs');
const reportSchema = z.object({ judged: z.number(), harm: z.array(z.string()) });

export function corruption(dialect: Dialect, sample: DialectSample, begun: DialectSample, depth: Depth): void {
  const { stride, judge } = depth;
  it('survives every kind of damage to its bytes, before the loop and in the middle of it', async () => {
    const { judged, harm } = await judge({ dialect, sample, begun, stride });
    expect(harm).toEqual([]);
    const places = Math.ceil(Buffer.byteLength(sample.text) / stride);
    // Some damages of neighbouring bytes give the same text; if fewer are left, nothing was judged.
    expect(judged).toBeGreaterThan((places * Object.keys(DAMAGES).length) / 2);
  });
}

async function judgedApart({ dialect, sample, begun, stride }: Asked): Promise<DamageReport> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ dialect: dialect.name, sample, begun: roomy(begun), stride }));
  return reportSchema.parse(JSON.parse(await text(child.stdout)));
}

export function generated(dialect: Dialect, sample: DialectSample, { runs }: Depth): void {
  it('survives generated files', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '---',
        '---\n',
        '\r\n',
        ': ',
        '"',
        '# ',
        '\t',
        '- a\n',
        '&a *a',
        '{{GOAL}}',
        '$&',
        '\uFEFF',
        '\u2028',
      ),
      fc.constantFrom(...sample.keys).map((key) => `\n${key}: `),
      fc.integer().map(String),
    );
    const cuts = fc.array(fc.tuple(fc.nat(sample.text.length), fc.nat(6), piece), { minLength: 1, maxLength: 4 });
    const midway = midwayOf(dialect, sample);
    fc.assert(
      fc.property(cuts, (edits) => {
        const edited = edits.reduce(
          (now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length),
          sample.text,
        );
        const damaged = { ...sample, text: edited };
        expect([...harmIn(dialect, damaged), ...harmMidway(dialect, midway, damaged)]).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  it('survives a file with another system’s line ends', () => {
    for (const lineEnd of ['\r\n', '\r']) {
      expect(harmIn(dialect, { ...sample, text: sample.text.replaceAll(/\r?\n/gu, lineEnd) })).toEqual([]);
    }
  });
}
