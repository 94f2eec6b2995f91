// @ts-check
/**
 * `npm run record`: runs `tireless demo` in a terminal of 80 by 24, and writes the screen, frame by frame, as docs/demo.svg: text and CSS,
 * no script. Nothing is drawn by hand; only the timing is changed, so that new lines can be read. Needs Linux (`script`) and a build.
 * test/docs/recording.test.ts compares the last frame with the screen of the demo in test/screens.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import xterm from '@xterm/headless';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILE = path.join(ROOT, 'docs/demo.svg');
const COLUMNS = 80;
const ROWS = 24;

/** The moving part gets a new frame only this often. */
const SPINNER_MS = 500;
const READ_MS_PER_LINE = 450;
const FRAME_MS_MAX = 3200;
const LAST_FRAME_MS = 7000;

const CHAR = 8.4;
const LINE = 18;
const PAD = 14;
const WIDTH = COLUMNS * CHAR + 2 * PAD;
const HEIGHT = ROWS * LINE + 2 * PAD;

/** @typedef {{ readonly text: string, readonly column: number, readonly style: string }} Run */
/** @typedef {{ readonly atMs: number, readonly rows: readonly (readonly Run[])[] }} Frame */

/** @returns {Promise<readonly Frame[]>} */
async function recordFrames() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tireless-record-'));
  try {
    const program = path.join(folder, 'tireless');
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${path.join(ROOT, 'dist/cli.js')}" "$@"\n`);
    chmodSync(program, 0o755);
    const inside = `stty cols ${COLUMNS} rows ${ROWS}; printf '$ tireless demo\\n'; tireless demo`;
    const child = spawn('script', ['-qfec', inside, '/dev/null'], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TERM: 'xterm-256color' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
    /** @type {Frame[]} */
    const frames = [];
    const began = Date.now();
    for await (const chunk of child.stdout) {
      await new Promise((resolve) => terminal.write(chunk, () => resolve(undefined)));
      frames.push({ atMs: Date.now() - began, rows: rowsOf(terminal) });
    }
    terminal.dispose();
    return frames;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import('@xterm/headless').Terminal} terminal @returns {Frame['rows']} */
function rowsOf(terminal) {
  const { active } = terminal.buffer;
  return Array.from({ length: ROWS }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    /** @type {{ text: string, column: number, style: string }[]} */
    const runs = [];
    for (let column = 0; column < COLUMNS; column++) {
      const cell = line?.getCell(column);
      const text = cell?.getChars() ?? '';
      if (cell === undefined || text === '') continue;
      const style = `${cell.isBold() ? 'b' : ''}${cell.isDim() ? 'd' : ''}${COLOURS[cell.isFgPalette() ? cell.getFgColor() : -1] ?? ''}`;
      const last = runs.at(-1);
      if (last?.style === style && last.column + columnsOf(last.text) === column) last.text += text;
      else runs.push({ text, column, style });
    }
    return runs.map((run) => ({ ...run, text: run.text.trimEnd() })).filter((run) => run.text !== '');
  });
}

/** The colours of the terminal's palette that the program uses. @type {Readonly<Record<number, string>>} */
const COLOURS = { 1: 'r', 2: 'g', 3: 'y' };

/** @param {readonly Run[]} row */
function textOf(row) {
  return row.map((run) => run.text).join(' ');
}

/** The part of a screen that stays. @param {Frame} frame */
function lasting(frame) {
  return frame.rows.map(textOf).filter((text) => text !== '' && !/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/u.test(text));
}

/** @param {readonly Frame[]} all @returns {readonly { readonly rows: Frame['rows'], readonly ms: number }[]} */
function paced(all) {
  /** @type {Frame[]} */
  const kept = [];
  for (const frame of all) {
    const before = kept.at(-1);
    const isNew = before === undefined || lasting(before).join('\n') !== lasting(frame).join('\n');
    if (isNew || frame.atMs - before.atMs > SPINNER_MS) kept.push(frame);
  }
  const last = all.at(-1);
  if (last !== undefined && kept.at(-1) !== last) kept.push(last);
  return kept.map((frame, index) => {
    const next = kept[index + 1];
    const before = new Set(index === 0 ? [] : lasting(kept[index - 1]));
    const added = lasting(frame).filter((text) => !before.has(text)).length;
    const ms = next === undefined ? LAST_FRAME_MS : Math.max(next.atMs - frame.atMs, added * READ_MS_PER_LINE);
    return { rows: frame.rows, ms: next === undefined ? ms : Math.min(ms, FRAME_MS_MAX) };
  });
}

/** None of the characters of the demo is wide. @param {string} text */
function columnsOf(text) {
  return Array.from(text).length;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @param {number} value */
function short(value) {
  return String(Math.round(value * 100) / 100);
}

/** @param {readonly Run[]} row */
function rowMarkup(row) {
  return row
    .map(({ text, column, style }) => {
      const length = columnsOf(text);
      const attributes = `x="${short(column * CHAR)}"${length > 1 ? ` textLength="${short(length * CHAR)}"` : ''}`;
      return `<tspan ${attributes}${style === '' ? '' : ` class="${style.split('').join(' ')}"`}>${escaped(text)}</tspan>`;
    })
    .join('');
}

/** @param {ReturnType<typeof paced>} frames */
function svgOf(frames) {
  /** @type {Map<string, number>} */
  const lines = new Map();
  const shown = frames.map(({ rows }, index) => {
    const uses = rows.flatMap((row, at) => {
      const markup = rowMarkup(row);
      if (markup === '') return [];
      if (!lines.has(markup)) lines.set(markup, lines.size);
      return [`<use href="#l${lines.get(markup)}" y="${at * LINE}"/>`];
    });
    return `<g transform="translate(${short(index * WIDTH)})">${uses.join('')}</g>`;
  });
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let passed = 0;
  const steps = frames.map(({ ms }, index) => {
    const step = `${short((passed / total) * 100)}%{transform:translateX(${short(-index * WIDTH)}px)}`;
    passed += ms;
    return step;
  });
  const end = `translateX(${short(-(frames.length - 1) * WIDTH)}px)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${short(WIDTH)}" height="${HEIGHT}" viewBox="0 0 ${short(WIDTH)} ${HEIGHT}" role="img" aria-labelledby="t d">
<title id="t">tireless demo</title>
<desc id="d">A recording of "tireless demo": an agent fixes one bug per iteration, its early claim to be done is refused because a test still fails, and the loop completes when the tests pass in the clean room.</desc>
<style>
.screen{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre}
.b{font-weight:bold}.d{opacity:.65}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}
@media (prefers-color-scheme:light){.screen{fill:#fff;stroke:#d0d7de}text{fill:#1f2328}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}}
.film{transform:${end};animation:film ${short(total / 1000)}s steps(1,end) infinite}
@keyframes film{${steps.join('')}100%{transform:${end}}}
@media (prefers-reduced-motion:reduce){.film{animation:none}}
</style>
<defs>
${[...lines].map(([markup, id]) => `<text id="l${id}" y="${LINE - 4}" xml:space="preserve">${markup}</text>`).join('\n')}
</defs>
<rect class="screen" x=".5" y=".5" width="${short(WIDTH - 1)}" height="${HEIGHT - 1}" rx="8"/>
<svg x="${PAD}" y="${PAD}" width="${short(WIDTH - PAD)}" height="${HEIGHT - 2 * PAD}">
<g class="film">
${shown.join('\n')}
</g>
</svg>
</svg>
`;
}

const frames = paced(await recordFrames());
const svg = svgOf(frames);
writeFileSync(FILE, svg);
const seconds = Math.round(frames.reduce((sum, { ms }) => sum + ms, 0) / 1000);
console.log(`docs/demo.svg: ${frames.length} frames, ${seconds} s, ${Math.ceil(svg.length / 1024)} KB`);
