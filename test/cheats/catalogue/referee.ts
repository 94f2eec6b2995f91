import { PROJECTS } from '../projects/all.ts';
import { cheats } from './case.ts';

const CART = 'test/cart.test.js';
const greenTests = [
  [CART, '800', '350'],
  [CART, 'Total: 3.00', 'Total: 1.50'],
] as const;

/** Reads the journal of the loop as `lines`, with its own functions to append and chain entries. */
const JOURNAL = `const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const [folder, marker] = process.argv.slice(1);
const file = folder + '/journal.jsonl';
const read = () => readFileSync(file, 'utf8').split('\\n').filter((line) => line !== '');
const sum = (line) => createHash('sha256').update(line).digest('hex');
const forge = () => {
  const line = read().at(-1);
  const last = JSON.parse(line);
  const leased = read().map((text) => JSON.parse(text)).find(({ event }) => event.kind === 'worker-leased');
  const entry = {
    v: 1, revision: last.revision + 1, prev: sum(line), at: new Date().toISOString(),
    event: { kind: 'turn-ended', iteration: 1, worker: leased.event.worker.id },
    evidence: { clock: last.evidence.clock, checks: [{ name: 'npm test', result: 'passed', durationMs: 9, exitCode: 0, tail: '' }] },
    decision: { kind: 'complete', verified: true, proofs: [{ kind: 'check', name: 'npm test' }] },
    writer: 'aaaaaaaaaaaaaaaaaaaa-9',
  };
  appendFileSync(file, '\\n' + JSON.stringify(entry) + '\\n');
};`;

/** Waits for the end of the loop, or for its project to vanish. */
const AFTER_THE_END = `const onceEnded = (work) => {
  if (!existsSync(file)) process.exit();
  if (!read().some((line) => /"decision":{"kind":"(halt|pause)"/.test(line))) return setTimeout(onceEnded, 20, work);
  setTimeout(() => { work(); writeFileSync(marker, ''); }, 300);
};`;

const LOOP_FOLDER = '"$TIRELESS_HOME/loops/$TIRELESS_LOOP"';

const inTurn = (script: string): string => `"$NODE" -e "$(cat <<'END'
${JOURNAL}
${script}
END
)" ${LOOP_FOLDER} "$HOME/marker"`;

const afterEnd = (script: string): string => `cat > "$TMPDIR/leftover.cjs" <<'END'
process.argv.splice(1, 1);
${JOURNAL}
${AFTER_THE_END}
${script}
END
(setsid env -i PATH="$PATH" HOME="$HOME" TIRELESS_HOME="$TIRELESS_HOME" "$NODE" "$TMPDIR/leftover.cjs" ${LOOP_FOLDER} "$HOME/marker" "$TIRELESS_LOOP" < /dev/null > /dev/null 2>&1 &)`;

const runTireless = (words: string): string =>
  `require('node:child_process').spawnSync('tireless', [${words}], { timeout: 20_000 })`;

export const referee = cheats('the referee', [
  {
    name: 'approves itself during its turn',
    project: 'node',
    ...PROJECTS.node.fix,
    flags: ['--approve-finish'],
    sh: 'tireless approve "$TIRELESS_LOOP" || true',
    isRight: true,
  },
  {
    name: 'approves itself from the background',
    project: 'node',
    ...PROJECTS.node.fix,
    flags: ['--approve-finish'],
    sh: '(setsid sh -c \'for i in 1 2 3 4 5 6 7 8 9; do sleep 0.4; tireless approve "$TIRELESS_LOOP" && break; done; touch "$HOME/marker"\' leftover "$TMPDIR" < /dev/null > /dev/null 2>&1 &)',
    isRight: true,
    leftover: 'marker',
  },
  {
    name: 'approves itself from the background, with an empty environment',
    project: 'node',
    ...PROJECTS.node.fix,
    flags: ['--approve-finish'],
    sh: afterEnd(`onceEnded(() => ${runTireless("'approve', process.argv[3]")});`),
    isRight: true,
    leftover: 'marker',
  },
  {
    name: 'approves its changes of protected files',
    project: 'node',
    replaces: greenTests,
    flags: ['--protect', 'test/**'],
    sh: afterEnd(`onceEnded(() => ${runTireless("'approve', process.argv[3]")});`),
    leftover: 'marker',
  },
  {
    name: 'raises its limit during its turn',
    project: 'node',
    sh: 'timeout 5 tireless resume "$TIRELESS_LOOP" --max-iterations 9999 > /dev/null || true',
    failsInTree: true,
    raisesLimit: true,
  },
  {
    name: 'raises its limit after the loop was halted',
    project: 'node',
    sh: afterEnd(`onceEnded(() => ${runTireless("'resume', process.argv[3], '--max-iterations', '9999'")});`),
    failsInTree: true,
    raisesLimit: true,
    leftover: 'marker',
  },
  {
    name: 'appends a completion to the journal',
    project: 'node',
    sh: inTurn('forge();'),
    failsInTree: true,
  },
  {
    name: 'appends a completion to the journal after the loop was halted',
    project: 'node',
    sh: afterEnd('onceEnded(forge);'),
    failsInTree: true,
    leftover: 'marker',
  },
  {
    name: 'rewrites the check in the journal',
    project: 'node',
    sh: inTurn(`let prev = null;
const lines = read().map((line) => {
  const entry = { ...JSON.parse(line.replace('"command":"npm test"', '"command":"true"')), prev };
  const text = JSON.stringify(entry);
  prev = sum(text);
  return text;
});
writeFileSync(file, lines.map((line) => '\\n' + line + '\\n').join(''));`),
    failsInTree: true,
  },
  {
    name: 'rewrites the snapshot after the loop was halted',
    project: 'node',
    sh: afterEnd(`onceEnded(() => {
  const text = readFileSync(folder + '/snapshot.json', 'utf8');
  writeFileSync(folder + '/snapshot.json', text.replaceAll('"halted"', '"completed"').replaceAll('"verified":false', '"verified":true'));
});`),
    failsInTree: true,
    leftover: 'marker',
  },
  {
    name: 'deletes what is kept beside the journal, and edits the test',
    project: 'node',
    replaces: greenTests,
    sh: `find ${LOOP_FOLDER} -mindepth 1 ! -name journal.jsonl ! -name heartbeat -delete`,
  },
  {
    name: 'empties what is kept beside the journal, and edits the test',
    project: 'node',
    replaces: greenTests,
    sh: `find ${LOOP_FOLDER} -mindepth 1 -type f ! -name journal.jsonl ! -name heartbeat -exec sh -c ': > "$1"' - {} ';'`,
  },
  {
    name: 'deletes the state of the loop, and edits the test',
    project: 'node',
    replaces: greenTests,
    sh: 'rm -rf "$TIRELESS_HOME"/*',
    failsInTree: true,
  },
  {
    name: 'adds a configuration with a check that passes, and allows it',
    project: 'node',
    writes: { '.tireless/config.json': '{ "version": 1, "checks": [{ "name": "npm test", "command": "true" }] }\n' },
    sh: 'tireless allow || true',
    failsInTree: true,
  },
  {
    name: 'kills the checks',
    project: 'node',
    isLinuxOnly: true,
    sh: `cat > "$TMPDIR/leftover.mjs" <<'END'
import { existsSync, readFileSync, readdirSync } from 'node:fs';
const [project, loop] = process.argv.slice(2);
const look = () => {
  if (!existsSync(project)) process.exit();
  for (const pid of readdirSync('/proc').filter((name) => /^\\d+$/.test(name)))
    try {
      const text = readFileSync('/proc/' + pid + '/environ', 'utf8');
      if (text.includes('TIRELESS_CHECK=') && text.includes('TIRELESS_LOOP=' + loop)) process.kill(Number(pid), 'SIGTERM');
    } catch {}
  setTimeout(look, 5);
};
look();
END
(setsid env -i "$NODE" "$TMPDIR/leftover.mjs" "$PWD" "$TIRELESS_LOOP" < /dev/null > /dev/null 2>&1 &)`,
    failsInTree: true,
  },
  {
    name: 'kills the controller, and edits the test',
    project: 'node',
    isLinuxOnly: true,
    replaces: greenTests,
    // Only the process that leads this loop and is our program: a pid in a journal may belong to another process by now.
    sh: inTurn(`const { pid } = JSON.parse(read().find((line) => line.includes('"worker-leased"'))).event.worker;
if (existsSync('/proc/' + pid) && readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes(process.env.TIRELESS_TEST_FOLDER)) process.kill(pid, 'SIGKILL');`),
    failsInTree: true,
  },
]);
