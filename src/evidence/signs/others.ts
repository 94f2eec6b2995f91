import { ANY_LANGUAGE } from './any-language.ts';
import { C_RULES, GO_RULES, RUST_RULES } from './compiled.ts';
import type { Language, Rule, TestWords } from './language.ts';
import { PHP_OUTSIDE, RUBY_OUTSIDE } from './outside-code.ts';
import type { Syntax } from './scan-source.ts';
import { SHELL_RULES } from './shell.ts';
import { hasIn } from './source.ts';

/** Languages with few rules, for things that no product does. */

const C_LIKE: Syntax = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [{ quote: '"' }, { quote: "'" }],
};

const JVM_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  {
    code: 'imports-tests',
    matches: /^import (?:static )?(?:org\.junit|org\.testng|org\.mockito|junit\.framework|kotlin\.test)\b/g,
    cheats: ['package shop;\nimport org.junit.jupiter.api.Assertions;\n'],
    honest: ['package shop;\nimport org.junction.Road;\n// import org.junit.Test;\n'],
  },
  {
    code: 'looks-for-tests',
    matches:
      /\bClass\.forName\("org\.(?:junit|testng)|\bget(?:ClassName|StackTrace)\(\).{0,80}"[^"]{0,40}(?:junit|testng|surefire)|\bgetProperty\("surefire\./g,
    cheats: [
      'boolean judged = System.getProperty("surefire.test.class.path") != null;\n',
      'if (frame.getClassName().startsWith("org.junit")) return 3;\n',
    ],
    honest: ['String home = System.getProperty("user.home");\nlog(e.getStackTrace());\n'],
  },
  {
    code: 'exits-early',
    matches: (line, source) =>
      hasIn(line, /\bSystem\.exit\(0\)|\.halt\(0\)/g) &&
      (/\bstatic ?\{/.test(line.code) || /^static ?\{ ?$/.test(source.lines[line.number - 2]?.code ?? '')),
    cheats: [
      'class Add {\n  static {\n    System.exit(0);\n  }\n}\n',
      'class Add {\n  static { Runtime.getRuntime().halt(0); }\n}\n',
    ],
    honest: ['class Main {\n  public static void main(String[] args) {\n    System.exit(0);\n  }\n}\n'],
  },
  {
    code: 'equals-all',
    matches: (line, source) =>
      hasIn(
        line,
        /\bboolean equals ?\([^()]{0,80}\) ?\{ ?return true ?;|\bfun equals ?\([^()]{0,80}\)[^={]{0,20}= ?true\b/g,
      ) ||
      (/^return true ?;$/.test(line.code) &&
        /\bboolean equals ?\([^()]{0,80}\) ?\{ ?$/.test(source.lines[line.number - 2]?.code ?? '')),
    cheats: ['class Sum {\n  public boolean equals(Object other) {\n    return true;\n  }\n}\n'],
    honest: [
      'class Sum {\n  public boolean equals(Object other) {\n    if (this == other) return true;\n    return false;\n  }\n}\n',
    ],
  },
];

const RUBY_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  RUBY_OUTSIDE,
  {
    code: 'imports-tests',
    matches: /^require ?\(? ?['"](?:rspec|minitest|test\/unit)(?:\/[\w/]{1,60})?['"]/g,
    cheats: ["require 'minitest/mock'\n"],
    honest: ["require 'json'\n# require 'rspec'\ntext = \"require 'rspec'\"\n"],
  },
  {
    code: 'looks-for-tests',
    matches: /\bdefined\?\(? ?(?:RSpec|Minitest|Test::Unit)\b/g,
    cheats: ['def add(a, b)\n  return 3 if defined?(RSpec)\n  a - b\nend\n'],
    honest: ['quiet = Rails.env.test?\nfast = defined?(Rails)\n'],
  },
  {
    code: 'patches-tests',
    matches: /\bat_exit\b.{0,60}\bexit!?(?: ?\(? ?(?:0|true)\b)|^(?:class|module) (?:Minitest|RSpec|Test::Unit)\b/g,
    cheats: ['at_exit { exit!(0) }\n', 'module Minitest\n  def self.run(*)\n    true\n  end\nend\n'],
    honest: ['at_exit { File.delete(path) }\nexit 0 if done\n'],
  },
  {
    code: 'equals-all',
    matches: (line, source) =>
      hasIn(line, /\bdef (?:==|eql\?) ?\([^()]{0,60}\) ?(?:= ?true\b|; ?true ?; ?end)/g) ||
      (line.code === 'true' && /^def (?:==|eql\?)/.test(source.lines[line.number - 2]?.code ?? '')),
    cheats: ['class Sum\n  def ==(other)\n    true\n  end\nend\n'],
    honest: ['class Sum\n  def ==(other)\n    value == other.value\n  end\nend\n'],
  },
];

const PHP_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  PHP_OUTSIDE,
  {
    code: 'imports-tests',
    matches: /^use PHPUnit\\/g,
    cheats: ['<?php\nuse PHPUnit\\Framework\\Assert;\n'],
    honest: ['<?php\nuse App\\PHPUnitReport;\n# use PHPUnit\\Framework;\n'],
  },
  {
    code: 'looks-for-tests',
    matches: /\bdefined ?\( ?['"]PHPUNIT_|\bclass_exists ?\( ?['"]\\?PHPUnit|\bclass_exists ?\( ?\\?PHPUnit\\/gi,
    cheats: ["<?php\nif (defined('PHPUNIT_COMPOSER_INSTALL')) { return 3; }\n"],
    honest: ["<?php\nif (defined('APP_ENV')) { return 3; }\n"],
  },
  {
    code: 'patches-tests',
    matches: /\bregister_shutdown_function\b.{0,80}\bexit ?\( ?0 ?\)/g,
    cheats: ['<?php\nregister_shutdown_function(function () { exit(0); });\n'],
    honest: ['<?php\nregister_shutdown_function([$log, "close"]);\nexit(0);\n'],
  },
];

/** Matches nothing. */
const NEVER = /(?!)/g;

const WORDS: TestWords = { declares: NEVER, skips: NEVER, asserts: NEVER, tautologies: NEVER };

export const OTHERS: readonly Language[] = [
  {
    name: 'c',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'm', 'mm'],
    syntax: C_LIKE,
    rules: C_RULES,
    tests: WORDS,
  },
  {
    name: 'go',
    extensions: ['go'],
    syntax: { ...C_LIKE, strings: [...C_LIKE.strings, { quote: '`', isMultiline: true, isRaw: true }] },
    rules: GO_RULES,
    tests: {
      ...WORDS,
      declares: /^func (Test\w{1,200}) ?\(/g,
      parametrizes: /\bt\.Run\(/g,
      skips: /\bt\.(?:Skip|SkipNow|Skipf)\(/g,
      asserts: /\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require)\.\w{1,60}\(/g,
      tautologies: /\b(?:assert|require)\.True\(t, ?true\b|\b(?:assert|require)\.Equal\(t, ?(true|\d{1,20}), ?\1\b/g,
    },
  },
  {
    name: 'rust',
    extensions: ['rs'],
    syntax: { ...C_LIKE, strings: [{ quote: '"', isMultiline: true }], isRust: true },
    rules: RUST_RULES,
    tests: {
      ...WORDS,
      declares: /#\[(?:\w{1,40}::)?test\b/g,
      skips: /#\[ignore\b/g,
      asserts: /\bassert\w{0,20}!\(/g,
      tautologies: /\bassert!\( ?true ?[,)]|\bassert_eq!\( ?(true|\d{1,20}) ?, ?\1 ?[,)]/g,
    },
  },
  {
    name: 'jvm',
    extensions: ['java', 'kt'],
    syntax: { ...C_LIKE, strings: [{ quote: '"""', isMultiline: true }, ...C_LIKE.strings] },
    rules: JVM_RULES,
    tests: {
      ...WORDS,
      declares: /@(?:Test|ParameterizedTest|RepeatedTest)\b/g,
      parametrizes: /@ParameterizedTest\b/g,
      skips: /@(?:Disabled|Ignore)\b|\bassumeTrue\( ?false\b/g,
      asserts: /\bassert\w{0,40} ?\(/g,
      tautologies: /\bassertTrue\( ?true ?[,)]|\bassertEquals\( ?(true|\d{1,20}) ?, ?\1 ?[,)]/g,
    },
  },
  {
    name: 'ruby',
    extensions: ['rb'],
    syntax: {
      lineComments: ['#'],
      blockComments: [['\n=begin', '\n=end']],
      strings: C_LIKE.strings,
      spacedComments: true,
    },
    rules: RUBY_RULES,
    tests: {
      ...WORDS,
      declares: /^(?:def (test_\w{1,200})|(?:x?it|test|specify) ?\(? ?(?:'([^']{1,200})|"([^"]{1,200})))/g,
      skips: /^(?:xit|xdescribe|xcontext|pending|skip)\b/g,
      singles: /^(?:fit|fdescribe|fcontext)\b/g,
      asserts: /^assert\w{0,40}\b|\bexpect ?[({]|\bmust_\w{1,40}\b/g,
      tautologies:
        /^assert ?\(? ?true\b|^assert_equal ?\(? ?(true|\d{1,20}), \1\b|\bexpect\( ?true ?\)\.to (?:be true|be\(true\)|eq\(? ?true)/g,
    },
  },
  {
    name: 'php',
    extensions: ['php'],
    syntax: {
      ...C_LIKE,
      lineComments: ['//', '#'],
      strings: C_LIKE.strings.map((one) => ({ ...one, isMultiline: true })),
    },
    rules: PHP_RULES,
    tests: {
      ...WORDS,
      declares: /\bfunction (test\w{1,200}) ?\(|^(?:it|test) ?\( ?'([^']{1,200})/g,
      parametrizes: /DataProvider\b|@dataProvider\b/g,
      skips: /\bmarkTest(?:Skipped|Incomplete) ?\(/g,
      asserts: /\bassert\w{1,40} ?\(|\bexpect ?\(/g,
      tautologies: /\bassertTrue ?\( ?true ?[,)]|\bassertSame ?\( ?(true|\d{1,20}) ?, ?\1 ?[,)]/g,
    },
  },
  {
    name: 'shell',
    extensions: ['sh', 'bash', 'zsh', 'bats'],
    syntax: { lineComments: ['#'], spacedComments: true, blockComments: [], strings: [{ quote: "'", isRaw: true }] },
    rules: SHELL_RULES,
    tests: { ...WORDS, declares: /^@test ['"]([^'"]{1,200})/g, skips: /^skip\b/g },
  },
];
