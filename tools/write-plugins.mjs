// @ts-check
/**
 * `node tools/write-plugins.mjs`: writes tools/ask.sh, the hook of every plugin that a shell starts, into these plugins. Hosts copy the
 * folder of a plugin to their own place, so each needs its own copy.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';

const COPIES = ['claude-code/hooks', 'codex/tireless/hooks', 'gemini/hooks'];

const script = readFileSync(new URL('ask.sh', import.meta.url));
for (const folder of COPIES) {
  const copy = new URL(`../plugins/${folder}/ask.sh`, import.meta.url);
  writeFileSync(copy, script);
  chmodSync(copy, 0o755);
}
