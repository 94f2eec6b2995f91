// @ts-check
/** Programs that some tests need: without them those tests are skipped, and that is reported. Installed here if that needs no confirmation. */
import { spawnSync } from 'node:child_process';

/** The program -> its Debian package, and what is tested with it. */
const TOOLS = {
  bwrap: ['bubblewrap', 'the sandbox'],
  zsh: ['zsh', 'completion in zsh'],
  fish: ['fish', 'completion in fish'],
};

const isThere = (/** @type {string} */ name) => spawnSync(name, ['--version']).status === 0;
const apt = (/** @type {string[]} */ ...words) =>
  spawnSync('apt-get', words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

const missing = Object.entries(TOOLS).filter(([name]) => !isThere(name));
if (missing.length > 0 && process.platform === 'linux' && process.getuid?.() === 0) {
  const install = ['install', '-y', '--no-install-recommends', ...missing.map(([, [pack]]) => pack)];
  console.log(`installing ${missing.map(([name]) => name).join(', ')}`);
  // On a new machine the list of packages may be old or empty.
  if (!apt(...install) && apt('update')) apt(...install);
}
for (const [name, [, tested]] of Object.entries(TOOLS))
  console.log(isThere(name) ? `${name} is there` : `note: there is no ${name}; the tests of ${tested} are skipped.`);
