import type { Ecosystem } from '../ecosystem.ts';

/** phpunit, pest, composer. */
export const PHP: Ecosystem = {
  name: 'php',
  files: [
    { glob: '**/*Test.php', role: 'test', except: ['src/{Model,Entity,Domain}/**'] },
    { glob: '**/*.phpt', role: 'test' },
    { glob: '{Tests,Test}/**', role: 'test' },
    { glob: '**/*Cest.php', role: 'test' },
    { glob: '**/vendor/{autoload.php,bin/**}', role: 'shadow' },
    { glob: '**/artisan', role: 'config', when: ['artisan'] },
    { glob: '**/{phpunit,phpunit.dist}.xml', role: 'config' },
    {
      glob: '**/{phpunit.xml.dist,.phpunit.xml,codeception.yml,codeception.dist.yml,behat.yml,behat.dist.yml,phpspec.yml,infection.json,infection.json5}',
      role: 'config',
    },
    { glob: '**/{tests,test}/{Pest,bootstrap}.php', role: 'config' },
    {
      glob: '**/{phpstan.neon,phpstan.neon.dist,phpstan-baseline.neon,psalm.xml,psalm.xml.dist,phpcs.xml,phpcs.xml.dist,.php-cs-fixer.php,.php-cs-fixer.dist.php,rector.php,pint.json}',
      role: 'config',
    },
    { glob: '**/{php.ini,.user.ini,auth.json}', role: 'config' },
  ],
  parts: [
    {
      glob: '**/composer.json',
      format: 'json',
      parts: ['scripts/*', 'scripts-descriptions', 'config'],
      addable: ['scripts/*'],
      hooks: ['scripts/pre-*', 'scripts/post-*'],
    },
  ],
  home: ['.composer/**', '.config/composer/**', '.phpunit.xml', '.config/psysh/**'],
  above: [],
  folders: { COMPOSER_HOME: ['config.json', 'composer.json', 'auth.json'] },
  environment: ['PHP_INI_SCAN_DIR', 'PHPRC', 'PHP_*', 'COMPOSER*', 'XDEBUG_*', 'PHPUNIT_*'],
  dependencies: [{ folder: 'vendor', marker: 'autoload.php' }],
  generated: [
    '**/.phpunit.result.cache',
    '**/.phpunit.cache/**',
    '**/.php-cs-fixer.cache',
    '**/.php_cs.cache',
    '**/tests/_output/**',
  ],
  interpreters: [{ name: 'php', valueOptions: ['-d', '-c'] }],
  runners: ['phpunit', 'pest', 'codecept', 'paratest'],
  wrappers: [],
};
