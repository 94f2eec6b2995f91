import type { Ecosystem } from '../ecosystem.ts';

/** bats, shunit2, shellspec. */
export const SHELL: Ecosystem = {
  name: 'shell',
  files: [
    { glob: '**/*.bats', role: 'test' },
    { glob: '**/{test_*,*_test,*-test,test-*,test,tests,*.test}.{sh,bash,zsh,fish}', role: 'test' },
    { glob: '**/test_helper.bash', role: 'test' },
    { glob: '**/spec/**/*_spec.sh', role: 'test' },
    { glob: '**/spec/{spec_helper.sh,support/**}', role: 'config', when: ['shellspec'] },
    { glob: '**/{.shellspec,.shellcheckrc,shellcheckrc,.batsrc}', role: 'config' },
  ],
  parts: [],
  home: ['.shellspec', '.shellcheckrc', '.config/shellcheckrc', '.config/shellspec/options'],
  above: ['.shellcheckrc', '.shellspec'],
  environment: ['BATS_*', 'SHELLSPEC_*', 'SHELLCHECK_*'],
  dependencies: [],
  generated: ['**/.shellspec-quick.log', '**/report/{results_junit.xml,profiler.json}'],
  interpreters: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'source', '.'].map((name) => ({
    name,
    valueOptions: ['-o', '+o'],
    loadOptions: ['--rcfile', '--init-file'],
  })),
  runners: ['bats', 'shunit2', 'shellspec'],
  wrappers: [],
};
