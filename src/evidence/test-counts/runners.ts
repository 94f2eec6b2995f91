import { ava } from './ava.ts';
import { bats } from './bats.ts';
import { bun } from './bun.ts';
import { cargo } from './cargo.ts';
import { ctest } from './ctest.ts';
import { cypress } from './cypress.ts';
import { deno } from './deno.ts';
import { dotnet } from './dotnet.ts';
import { go } from './go.ts';
import { gradle } from './gradle.ts';
import { jest } from './jest.ts';
import { maven } from './maven.ts';
import { minitest } from './minitest.ts';
import { mocha } from './mocha.ts';
import { nextest } from './nextest.ts';
import { nodeTap } from './node-tap.ts';
import { nodeTest } from './node-test.ts';
import { phpunit } from './phpunit.ts';
import { playwright } from './playwright.ts';
import { prove } from './prove.ts';
import { pytest } from './pytest.ts';
import { rspec } from './rspec.ts';
import type { Runner } from './runner.ts';
import { swift } from './swift.ts';
import { tap } from './tap.ts';
import { unittest } from './unittest.ts';
import { vitest } from './vitest.ts';

/** A new runner: its file, its line here, and recorded outputs in `test/fixtures/runners/`. */
export const RUNNERS: readonly Runner[] = [
  ava,
  bats,
  bun,
  cargo,
  ctest,
  cypress,
  deno,
  dotnet,
  go,
  gradle,
  jest,
  maven,
  minitest,
  mocha,
  nextest,
  nodeTap,
  nodeTest,
  phpunit,
  playwright,
  prove,
  pytest,
  rspec,
  swift,
  tap,
  unittest,
  vitest,
];
