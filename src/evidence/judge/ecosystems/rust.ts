import type { Ecosystem } from '../ecosystem.ts';

/** cargo, including the tests inside product files. */
export const RUST: Ecosystem = {
  name: 'rust',
  files: [
    { glob: '**/{tests,test}.rs', role: 'test' },
    { glob: '**/{*_test,*_tests,test_*}.rs', role: 'test' },
    { glob: '**/benches/**', role: 'test' },
    { glob: '**/.cargo/{config,config.toml}', role: 'config' },
    {
      glob: '**/{rust-toolchain,rust-toolchain.toml,clippy.toml,.clippy.toml,rustfmt.toml,.rustfmt.toml,deny.toml}',
      role: 'config',
    },
    { glob: '**/.config/nextest.toml', role: 'config' },
    { glob: '**/tarpaulin.toml', role: 'config' },
  ],
  parts: [
    { glob: '**/*.rs', format: 'rust-tests', parts: [], mayBeDeleted: true },
    {
      glob: '**/Cargo.toml',
      format: 'toml',
      parts: [
        '{test,bench}',
        // Which library the tests link.
        'package/name',
        'lib/name',
        'lib/{test,harness,doctest,bench}',
        '{bin,example}/*/{test,harness,doctest,bench}',
        'package/{autotests,autobenches,build,default-run,forced-target}',
        'profile/{test,bench,dev,release}',
        '{patch,replace,lints}',
        'workspace/{lints,metadata}',
      ],
      // A new member of the workspace.
      freeInNewFile: ['package/name', 'lib/name'],
    },
  ],
  home: ['.cargo/config', '.cargo/config.toml', '.cargo/bin/**', '.rustup/settings.toml', '.config/nextest.toml'],
  above: [
    '.cargo/{config,config.toml}',
    'Cargo.toml',
    'rust-toolchain',
    'rust-toolchain.toml',
    '{clippy,.clippy,rustfmt,.rustfmt}.toml',
  ],
  folders: { CARGO_HOME: ['config', 'config.toml', 'bin/*'], RUSTUP_HOME: ['settings.toml'] },
  environment: ['CARGO*', 'RUST*', 'NEXTEST_*', 'INSTA_*', 'PROPTEST_*', 'CC', 'CXX', 'AR'],
  dependencies: [{ folder: 'vendor', marker: '.cargo-checksum.json' }],
  generated: [
    '**/*.snap.new',
    '**/target/{debug,release,doc,nextest,tmp,package,.rustc_info.json,CACHEDIR.TAG}',
    '**/*.profraw',
    '**/tarpaulin-report.*',
    '**/lcov.info',
  ],
  interpreters: [],
  runners: [],
  wrappers: [],
};
