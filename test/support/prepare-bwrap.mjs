// @ts-check
/** The tests of the sandbox are skipped aloud without it; here it is installed where that needs no question. */
import { spawnSync } from 'node:child_process';

const isThere = () => spawnSync('bwrap', ['--version']).status === 0;

if (!isThere() && process.platform === 'linux' && process.getuid?.() === 0) {
  console.log('installing bubblewrap, for the tests of the sandbox');
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'bubblewrap'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
console.log(isThere() ? 'bwrap is there' : 'note: there is no bwrap; the tests of the sandbox are skipped.');
