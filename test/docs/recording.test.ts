/** The recording in the README: made by `npm run record`, and of the demo as it is now. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pages.ts';

const BYTES_MAX = 200 * 1024;
const svg = readFileSync(path.join(ROOT, 'docs/demo.svg'), 'utf8');

describe('docs/demo.svg', () => {
  it('ends with the screen that the demo ends with', () => {
    const kept = readFileSync(path.join(ROOT, 'test/screens/80x24/demo.txt'), 'utf8');
    const [, screen = ''] = kept.split(/^┄+\n/m);
    expect(lastFrame()).toEqual(neutral(screen));
  });

  it('is small, and holds neither a script nor anything from elsewhere', () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(BYTES_MAX);
    expect(svg).not.toMatch(/<script|<image|<foreignObject|@import|url\(/);
    expect([...svg.matchAll(/href="([^"]*)"/g)].filter(([, to = '']) => !to.startsWith('#l'))).toEqual([]);
    expect(svg.split('://')).toHaveLength(2);
  });

  it('is the first thing in the README', () => {
    expect(readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n').slice(0, 8).join('\n')).toContain(
      'docs/demo.svg',
    );
  });
});

/** The rows of the last frame that hold something. */
function lastFrame(): readonly string[] {
  const lines = new Map(
    [...svg.matchAll(/<text id="(l\d+)"[^>]*>(.*)<\/text>/g)].map(([, id, markup = '']) => [id, markup]),
  );
  const frame = svg.split('<g transform=').at(-1) ?? '';
  const rows = [...frame.matchAll(/href="#(l\d+)"/g)].map(([, id]) =>
    (lines.get(id) ?? '').replaceAll(/<[^>]+>/g, ' '),
  );
  return neutral(rows.join('\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}

/** Durations differ, and in the recording a row is made of pieces. */
function neutral(text: string): readonly string[] {
  return text
    .split('\n')
    .map((row) =>
      row
        .replaceAll(/\b\d+(?:ms|s)\b/g, 'D')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((row) => row !== '');
}
