import { describe, expect, it } from 'vitest';
import { judgeOf } from './classify.ts';
import type { Judge, JudgeRole } from './classify.ts';

/** Paths by role; `product` has the honest look-alikes. */
type Examples = Partial<Record<JudgeRole | 'product' | 'generated', string>>;

const EXAMPLES: Readonly<Record<string, Examples>> = {
  common: {
    test: 'e2e/login.ts features/shop.feature features/step_definitions/a.rb packages/lib/test/index.js integration-tests/a.txt',
    fixture: 'tests/fixtures/data.json fixtures/a.json src/__fixtures__/a.json spec/fixtures/a.yml test/fixture/a',
    snapshot: 'tests/a.approved.txt src/a.verified.json',
    config: '.env.test .env.test.local .tool-versions .envrc .ignore src/.ignore',
    product:
      'README.md docs/tests.md docs/tests/howto.md spec/openapi.yaml openapi.spec.yaml data/latest.json .github/workflows/ci.yml .gitignore Dockerfile .env src/testing/index.ts src/commands/test/index.ts src/cli/test/run.py cmd/test/main.go app/pages/test/a.tsx',
    generated: 'tests/a.received.txt',
  },
  node: {
    test: 'src/a.test.ts x.spec.tsx src/x.cy.ts __tests__/x.js src/__tests__/x.js __mocks__/fs.js test/helpers/x.js test.js test-a.mjs packages/a/test/index.js src/foo_test.ts cypress/e2e/a/b.js spec/a.js src/test-utils.ts',
    fixture:
      'tests/fixtures/app/jest.config.js tests/fixtures/app/package.json test/fixtures/app/node_modules/a/index.js',
    snapshot: 'src/__snapshots__/a.test.ts.snap test/a.test.js.snapshot e2e/a.spec.ts-snapshots/home.png',
    config:
      '.npmrc packages/a/.npmrc vitest.config.ts vitest.workspace.ts jest.config.js jest.config.unit.js jest-e2e.config.json test/jest.config.js .mocharc.json .mocharc .c8rc.json playwright.config.ts cypress.config.ts cypress/support/e2e.js tsconfig.json tsconfig.build.json babel.config.js .swcrc .eslintrc.cjs eslint.config.js src/setupTests.ts bunfig.toml .yarnrc.yml .yarn/releases/yarn-4.cjs ava.config.mjs .taprc',
    shadow:
      'node_modules/.bin/vitest node_modules/vitest/index.js packages/a/node_modules/.bin/jest node_modules/a/node_modules/b/index.js',
    product:
      'latest.js src/latest.js src/ab-test.js src/test-runner.ts vite.config.ts package-lock.json pnpm-lock.yaml yarn.lock index.js project.json src/contest.tsx src/spec.ts coverage/report.ts',
    generated:
      'coverage/lcov.info coverage/lcov-report/index.html .nyc_output/a.json test-results/a.zip .vitest-cache/x tsconfig.tsbuildinfo',
  },
  python: {
    test: 'tests/__init__.py test_x.py src/pkg/test_x.py pkg/x_test.py shop/tests.py testShop.py test.py tests/unittest/a.py',
    snapshot: 'tests/__snapshots__/a.ambr',
    config:
      'conftest.py tests/conftest.py pytest.ini tests/pytest.ini noxfile.py .coveragerc mypy.ini ruff.toml .flake8 .python-version',
    shadow:
      'pytest.py pytest/__init__.py src/pytest.py _pytest/__init__.py unittest/__init__.py unittest.py pytest_cov.py pytest.cpython-311-x86_64-linux-gnu.so pytest.pyc sitecustomize.py src/sitecustomize.py usercustomize.py a.pth os.py tests/inspect.py evil.egg-info/entry_points.txt .venv/lib/python3.11/site-packages/pytest/__init__.py',
    product:
      'src/app.py contest.py testimonials.py testing.py src/testing/a.py calendar.py src/types.py src/logging.py json_utils.py setup.py poetry.lock requirements.txt shop/pytest_report.txt manage.py',
    generated:
      'tests/__pycache__/a.cpython-311.pyc __pycache__/a.pyc src/a.pyc .pytest_cache/v/x tests/.hypothesis/x .coverage htmlcov/index.html',
  },
  rust: {
    test: 'tests/api.rs src/parser/tests.rs benches/a.rs src/a_test.rs',
    snapshot: 'src/snapshots/x__y.snap',
    config: '.cargo/config.toml rust-toolchain.toml .config/nextest.toml clippy.toml',
    product: 'src/lib.rs src/main.rs build.rs Cargo.lock src/fastest.rs src/testing.rs',
    generated: 'target/debug/deps/a target/CACHEDIR.TAG src/snapshots/a.snap.new',
  },
  go: {
    test: 'a_test.go pkg/api/x_test.go',
    fixture: 'pkg/testdata/in.txt',
    config: 'go.work .golangci.yml',
    shadow: 'vendor/modules.txt',
    product: 'main.go go.sum attestation.go internal/contest/contest.go internal/testing/x.go',
    generated: 'coverage.out',
  },
  jvm: {
    test: 'XTest.java app/src/test/java/a/Helper.java app/src/test/resources/a.json core/src/integrationTest/kotlin/A.kt a/TestShop.java a/ShopSpec.groovy',
    config:
      'gradlew gradle/wrapper/gradle-wrapper.jar .mvn/maven.config app/src/test/resources/junit-platform.properties mvnw',
    shadow: 'app/src/test/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener',
    product:
      'Contest.java a/Latest.kt src/main/java/a/ABTest.java src/main/java/a/OpenApiSpec.kt a/Testament.java build.gradle gradle.properties',
    generated: 'target/surefire-reports/a.xml build/test-results/test/a.xml target/test-classes/A.class',
  },
  make: { product: 'Makefile rules.mk justfile Taskfile.yml' },
  ruby: {
    test: 'spec/models/a_spec.rb spec/support/x.rb test/models/a_test.rb spec/factories/a.rb',
    config: '.rspec spec/spec_helper.rb test/test_helper.rb bin/rspec .rubocop.yml',
    shadow: 'lib/minitest/evil_plugin.rb rspec.rb',
    product: 'lib/shop.rb protest.rb Gemfile Gemfile.lock Rakefile app/models/spec/a.rb lib/spec/b.rb bin/shop',
    generated: '.rspec_status coverage/.resultset.json',
  },
  php: {
    test: 'tests/Unit/ATest.php src/ATest.php tests/a.phpt Tests/Helper.php',
    config: 'phpunit.xml phpunit.xml.dist tests/Pest.php tests/bootstrap.php phpstan.neon',
    shadow: 'vendor/bin/phpunit vendor/autoload.php',
    product: 'src/Shop.php Latest.php src/Contest.php composer.lock artisan',
    generated: '.phpunit.result.cache',
  },
  dotnet: {
    test: 'Shop.Tests/Helper.cs Shop.Tests/Shop.Tests.csproj src/ShopTests.cs',
    config: 'Directory.Build.props a.runsettings xunit.runner.json global.json',
    product: 'Shop/Shop.csproj src/Contest.cs Shop.sln models/obj/car.obj',
    generated: 'Shop.Tests/obj/project.assets.json Shop.Tests/bin/Debug/net8.0/a.dll',
  },
  cmake: {
    test: 'a_test.cc unittests/a.cpp src/shop_unittest.cc tests/CMakeLists.txt test_a.c',
    config: '.clang-tidy CTestCustom.cmake',
    product: 'src/test_mode.h CMakeLists.txt src/attest.c include/contest.hpp',
    generated: 'build/CMakeFiles/a.make build/Testing/Temporary/LastTest.log',
  },
  shell: {
    test: 'a.bats test_all.sh run-test.sh test/test_helper.bash',
    config: '.shellcheckrc .shellspec',
    product: 'run.sh install.sh latest.sh contest.sh',
  },
};

function aJudge(commands: readonly string[] = [], files: Readonly<Record<string, string>> = {}): Judge {
  return judgeOf({ commands, paths: Object.keys(files), protect: [], free: [], readText: (path) => files[path] });
}

function wordsOf(text: string | undefined): readonly string[] {
  return text?.split(' ') ?? [];
}

describe.each(Object.entries(EXAMPLES))('%s', (_, examples) => {
  const judge = aJudge();

  it.each(Object.keys(examples))('%s', (kind) => {
    const paths = wordsOf(examples[kind as keyof Examples]);
    const role = kind === 'product' || kind === 'generated' ? undefined : kind;
    const expected = paths.map((path) => [path, role, kind === 'generated']);
    expect(paths.map((path) => [path, judge.roleOf(path), judge.isGenerated(path)])).toEqual(expected);
  });
});

it('a nested folder called test counts only when a file in it is called like a test', () => {
  const names = ['src/shop/tests/test_cart.py', 'src/shop/tests/factory.py', 'src/commands/test/index.ts'];
  const judge = aJudge([], Object.fromEntries(names.map((name) => [name, ''])));
  expect(judge.roleOf('src/shop/tests/factory.py')).toBe('test');
  expect(judge.roleOf('src/shop/tests/added.py')).toBe('test');
  expect(judge.roleOf('src/commands/test/index.ts')).toBeUndefined();
  expect(judge.roleOf('src/commands/test/index.test.ts')).toBe('test');
});

it.each<[string, string, string]>([
  ['make test', 'Makefile rules.mk sub/Makefile', 'justfile CMakeLists.txt'],
  ['cmake -B b && ctest --test-dir b', 'CMakeLists.txt', 'Makefile'],
  ['./gradlew test', 'build.gradle.kts gradle.properties settings.gradle', 'Rakefile'],
  ['bundle exec rake', 'Rakefile lib/tasks/a.rake', 'Makefile'],
  ['npx vitest run', 'vite.config.ts', 'Makefile'],
  ['docker compose run app make test', 'Dockerfile compose.yaml Makefile', 'justfile'],
  ['just test', 'justfile', 'Makefile'],
  ['task test', 'Taskfile.yml', 'Makefile'],
  ['python manage.py test', 'manage.py', 'artisan'],
  ['php artisan test', 'artisan', 'manage.py'],
  ['pipenv run pytest', '.env', 'Makefile'],
  ['node --env-file=.env --test', '.env', 'Makefile'],
  ['npx nx test', 'project.json', 'Makefile'],
])('%s makes configuration of %s', (command, config, product) => {
  const judge = aJudge([command]);
  expect(wordsOf(config).map((path) => judge.roleOf(path))).toEqual(wordsOf(config).map(() => 'config'));
  expect(wordsOf(product).map((path) => judge.roleOf(path))).toEqual(wordsOf(product).map(() => undefined));
});

it('a program counts when a script of npm runs it', () => {
  const judge = aJudge(['npm test'], { 'package.json': '{"scripts":{"test":"vitest run"}}' });
  expect(judge.roleOf('vite.config.ts')).toBe('config');
});
