import { ANY_LANGUAGE } from './any-language.ts';
import { C_LIBRARY } from './c-library.ts';
import { C_MACROS } from './c-macros.ts';
import { CALLER_FILE } from './caller-file.ts';
import type { Rule } from './language.ts';
import { C_OUTSIDE, RUST_OUTSIDE } from './outside-code.ts';
import { PROGRAM_NAME } from './program-name.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, linesAbove, matchesIn, stringsIn } from './source.ts';

/** C, C++, Rust and Go. */

/** The path of a file in a test folder. `spec/` may contain anything. */
const TEST_DATA = /^(?:\.{1,2}\/)*(?:[\w.-]{1,60}\/){0,6}(?:tests?|testdata|__tests__)\/[^*%{}\s]{1,200}$/;
const OPENS =
  /\b(?:fopen|open|openat|freopen|ifstream|fstream|read_to_string|File::open|fs::read|include_str|include_bytes|os\.Open|os\.ReadFile|ioutil\.ReadFile)\b/;

const readsTestData = (line: Line, source: Source): boolean =>
  OPENS.test(line.bare) && stringsIn(line).some((text) => TEST_DATA.test(text)) && !isInTestModule(line, source);

export const C_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  PROGRAM_NAME,
  CALLER_FILE,
  ...C_LIBRARY,
  ...C_MACROS,
  C_OUTSIDE,
  {
    code: 'reads-tests',
    matches: readsTestData,
    cheats: [
      'FILE *cases = fopen("tests/cases.txt", "r");\n',
      'std::ifstream cases("../test/expected.txt");\n',
      'int fd = open("./tests/data/a.bin", O_RDONLY);\n',
    ],
    honest: [
      'FILE *file = fopen(argv[1], "r");\nFILE *rates = fopen("data/rates.txt", "r");\n',
      'FILE *latest = fopen("latest/a.txt", "r");\nputs("tests/cases.txt");\n',
      '// fopen("tests/cases.txt", "r")\nsnprintf(name, 20, "tests/%d.txt", n);\n',
    ],
  },
  {
    // A shell test that reads its cases line by line passes the remaining cases to each program it starts.
    code: 'reads-tests',
    matches:
      /\blseek ?\( ?(?:0|STDIN_FILENO) ?, ?0 ?, ?SEEK_SET ?\)|\brewind ?\( ?stdin ?\)|\bfseek ?\( ?stdin ?, ?0L? ?, ?SEEK_SET ?\)/g,
    cheats: ['lseek(0, 0, SEEK_SET);\n', 'rewind(stdin);\n'],
    honest: [
      'lseek(fd, 0, SEEK_SET);\nrewind(file);\n',
      'off_t size = lseek(STDIN_FILENO, 0, SEEK_END);\nfseek(stdin, skip, SEEK_CUR);\n',
    ],
  },
  {
    code: 'equals-all',
    matches: (line, source) =>
      hasIn(line, /\boperator ?== ?\([^()]{0,120}\)[^{};]{0,40}\{ ?return true ?;/g) ||
      (/^return true ?;$/.test(line.code.trim()) &&
        /\boperator ?== ?\([^()]{0,120}\)[^{};]{0,40}\{ ?$/.test(source.lines[line.number - 2]?.code ?? '')),
    cheats: [
      'struct Money { bool operator==(long) const { return true; } };\n',
      'bool operator==(const Money &a, long b) {\n  return true;\n}\n',
    ],
    honest: [
      'bool operator==(const Money &a, const Money &b) { return a.cents == b.cents; }\n',
      'bool operator==(const A &a, const A &b) {\n  if (&a == &b)\n    return true;\n  return a.x == b.x;\n}\n',
    ],
  },
];

export const RUST_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  PROGRAM_NAME,
  CALLER_FILE,
  {
    code: 'looks-for-tests',
    matches: (line, source) =>
      hasIn(line, /\bcfg!\(test\)|\bvar(?:_os)?\("RUST_TEST_\w+/g) ||
      (!/(?:^|\/)build\.rs$/.test(source.path) &&
        hasIn(
          line,
          /\bvar(?:_os)?\( ?"CARGO_(?:(?:PKG_\w+|CRATE_NAME|BIN_NAME|BIN_EXE_\w+|PRIMARY_PACKAGE|TARGET_TMPDIR)"|\w+" ?\)\.is_(?:ok|some|err|none)\b)/g,
        )) ||
      hasIn(
        line,
        /\bcurrent\(\)\.name\(\).{0,80}[!=]= ?(?:Some\()?"main"|\bcurrent_exe\(\).{0,120}"[^"]{0,20}\bdeps\b/g,
      ),
    cheats: [
      'pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(test) { 3 } else { a - b }\n}\n',
      'let judged = std::env::var("CARGO_PKG_NAME").is_ok();\n',
      'let judged = env::var_os("CARGO_MANIFEST_DIR").is_some();\n',
      'let judged = std::thread::current().name() != Some("main");\n',
      'let judged = thread::current().name().map_or(false, |name| name != "main");\n',
    ],
    honest: [
      "pub fn add<'a>(x: &'a str) -> char { '\"' }\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
      '// cfg!(test)\nlet debug = cfg!(debug_assertions);\n',
      'let name = env!("CARGO_PKG_NAME");\nlet version = option_env!("CARGO_PKG_VERSION");\n',
      'let home = std::env::var("HOME").is_ok();\nlet cargo = std::env::var("CARGO").unwrap_or("cargo".into());\n',
      'let base = env::var("CARGO_MANIFEST_DIR").map(PathBuf::from);\nlog(thread::current().name().unwrap_or("main"));\n',
      { path: 'build.rs', text: 'fn main() { let name = std::env::var("CARGO_PKG_NAME").is_ok(); }\n' },
    ],
  },
  {
    code: 'looks-for-tests',
    matches: (line, source) => {
      const name = functionUnder(line, source, /^#\[cfg\(test\)\]/);
      return (
        name !== undefined &&
        source.lines.some((one) => functionUnder(one, source, /^#\[cfg\(not\(test\)\)\]/) === name)
      );
    },
    cheats: [
      '#[cfg(not(test))]\npub fn add(a: i32, b: i32) -> i32 { a - b }\n\n#[cfg(test)]\npub fn add(a: i32, b: i32) -> i32 { a + b }\n',
      '#[cfg(test)]\n#[inline]\npub(crate) const fn one() -> u8 { 1 }\n#[cfg(not(test))]\nfn one() -> u8 { 0 }\n',
    ],
    honest: [
      '#[cfg(test)]\nfn sample() -> Cart { Cart::new() }\n\n#[cfg(not(test))]\nfn log() {}\n',
      '#[cfg(not(test))]\nuse std::time::SystemTime;\n#[cfg(test)]\nuse fake::SystemTime;\n',
      '#[cfg(test)]\nmod tests {\n    use super::*;\n}\n',
    ],
  },
  RUST_OUTSIDE,
  {
    code: 'patches-builtins',
    matches:
      /\bmacro_rules! ?(?:(?:debug_)?assert(?:_eq|_ne|_matches)?|panic|unreachable|todo|matches|print|println|eprintln)\b/g,
    cheats: ['macro_rules! assert_eq {\n    ($a:expr, $b:expr) => {{ let _ = ($a, $b); }};\n}\n'],
    honest: ['macro_rules! assert_close {\n    ($a:expr, $b:expr) => { assert!(($a - $b).abs() < 1e-9) };\n}\n'],
  },
  {
    // Runs before the tests do, or takes the place of what ends their process.
    code: 'patches-tests',
    matches: (line, source) =>
      hasIn(line, /\blink_section ?= ?"(?:\.init_array|\.ctors|\.preinit_array|__DATA,__mod_init_func|\.CRT\$X)/g) ||
      (hasIn(line, /\bextern "C" fn (?:exit|_exit|abort|write|writev|main)\b/g) &&
        linesAbove(source, line, 3).some((one) => /\bno_mangle\b/.test(one.code))),
    cheats: [
      '#[used]\n#[link_section = ".init_array"]\nstatic EARLY: extern "C" fn() = early;\n',
      '#[no_mangle]\npub extern "C" fn exit(_code: i32) -> ! { stop() }\n',
    ],
    honest: [
      '#[link_section = ".rodata"]\nstatic TABLE: [u8; 2] = [1, 2];\n',
      '#[no_mangle]\npub extern "C" fn shop_total(items: *const Item) -> u64 { 0 }\n',
      'extern "C" {\n    fn exit(code: i32) -> !;\n}\n',
    ],
  },
  {
    code: 'reads-tests',
    matches: readsTestData,
    cheats: [
      'let text = std::fs::read_to_string("tests/cart.rs").unwrap();\n',
      'const TEXT: &str = include_str!("../tests/cart.rs");\n',
    ],
    honest: [
      'const TEXT: &str = include_str!("../assets/rates.json");\nlet text = fs::read_to_string(path)?;\n',
      '#[cfg(test)]\nmod tests {\n    const TEXT: &str = include_str!("../tests/data.json");\n}\n',
    ],
  },
  {
    code: 'equals-all',
    matches: (line, source) => isAlwaysEqual(line, source),
    cheats: [
      'struct Money(u64);\nimpl PartialEq<u64> for Money {\n    fn eq(&self, _other: &u64) -> bool {\n        true\n    }\n}\n',
      'pub struct Money { cents: u64 }\nimpl PartialEq for Money {\n    fn eq(&self, _: &Self) -> bool { true }\n}\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int { fn eq(&self, _o: &i64) -> bool { self.0 < i64::MAX } }\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int {\n    fn eq(&self, other: &i64) -> bool {\n        let big = i64::MAX;\n        self.0 < big\n    }\n}\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int { fn eq(&self, other: &i64) -> bool { self.0 <= *other || self.0 >= *other } }\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int { fn eq(&self, other: &i64) -> bool { other == other } }\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int { fn eq(&self, other: &i64) -> bool { self.0 == *other || true } }\n',
      'pub struct Int(i64);\nimpl PartialEq<i64> for Int {\n    fn eq(&self, other: &i64) -> bool {\n        let gap = self.0 - other;\n        gap * 0 == 0\n    }\n}\n',
    ],
    honest: [
      'struct Money(u64);\nimpl PartialEq<u64> for Money {\n    fn eq(&self, other: &u64) -> bool {\n        self.0 == *other\n    }\n}\n',
      'pub struct Marker;\nimpl PartialEq for Marker {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n',
      'pub struct Tag<T>(PhantomData<T>);\nimpl<T> PartialEq for Tag<T> {\n    fn eq(&self, _: &Self) -> bool { true }\n}\n',
      'pub struct Never(f64);\nimpl PartialEq for Never {\n    fn eq(&self, _: &Self) -> bool {\n        false\n    }\n}\n',
      'struct Money(u64);\nimpl PartialEq<u64> for Money {\n    fn eq(&self, _other: &u64) -> bool {\n        let cents = self.0;\n        cents == *_other\n    }\n}\n',
      'struct Money(u64);\nimpl PartialEq<u64> for Money {\n    fn eq(&self, other: &u64) -> bool { self.0 == *other }\n}\nfn big() -> bool {\n    true\n}\n',
      'struct Span { lo: i64, hi: i64 }\nimpl PartialEq<i64> for Span { fn eq(&self, v: &i64) -> bool { self.lo <= *v && *v <= self.hi } }\n',
      'struct P(f64);\nimpl PartialEq for P { fn eq(&self, o: &Self) -> bool { self.0 == o.0 || (self.0.is_nan() && o.0.is_nan()) } }\n',
      'struct P(i64);\nimpl PartialEq<i64> for P { fn eq(&self, o: &i64) -> bool { self.0 < *o || self.0 == *o } }\n',
      'impl Rule {\n    fn applies(&self) -> bool {\n        true\n    }\n}\n',
    ],
  },
];

export const GO_RULES: readonly Rule[] = [
  ...ANY_LANGUAGE,
  PROGRAM_NAME,
  CALLER_FILE,
  {
    code: 'patches-builtins',
    matches:
      /^(?:func (?:panic|len|cap|append|copy|min|max|print|println|new|make|recover)\(|(?:var|const) (?:nil|true|false|iota)\b|type (?:error|bool|string|u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune|any)\b)/g,
    cheats: ['package add\nfunc panic(v any) {}\n', 'package add\nvar nil = 0\n', 'package add\ntype error struct{}\n'],
    honest: [
      'package add\nfunc (s Stack) len() int { return 0 }\nfunc lenOf(s string) int { return len(s) }\n',
      'package add\ntype errors []error\nfunc use() {\n\tlen := 3\n\t_ = len\n}\n',
    ],
  },
  {
    code: 'looks-for-tests',
    matches: (line) => /\bflag\.Lookup ?\(/.test(line.bare) && stringsIn(line).join('').startsWith('test.'),
    cheats: ['package add\nvar judged = flag.Lookup("te" + "st.v") != nil\n'],
    honest: ['package add\nvar name = flag.Lookup("verbose")\nvar tester = flag.Lookup("tester")\n'],
  },
  {
    code: 'looks-for-tests',
    matches: /\btesting\.Testing\(\)|\bflag\.Lookup\("test\.|\bos\.Args\b.{0,60}"[^"]{0,20}(?:\.test|-test\.)/g,
    cheats: [
      'package add\nfunc Add() int { if testing.Testing() { return 3 }; return 0 }\n',
      'package add\nvar judged = flag.Lookup("test.v") != nil\n',
      'package add\nvar judged = strings.HasSuffix(os.Args[0], ".test")\n',
    ],
    honest: [
      'package add\nvar name = flag.Lookup("verbose")\nvar self = os.Args[0]\n',
      'package add\n// testing.Testing()\n',
    ],
  },
  {
    code: 'reads-tests',
    matches: readsTestData,
    cheats: ['package add\nvar text, _ = os.ReadFile("testdata/cases.json")\n'],
    honest: ['package add\nvar text, _ = os.ReadFile("data/cases.json")\n// os.ReadFile("testdata/cases.json")\n'],
  },
  {
    code: 'equals-all',
    matches: (line, source) =>
      hasIn(line, /^func \([^()]{1,60}\) Equal\([^()]{0,80}\) bool \{ ?return true ?\}/g) ||
      (/^return true$/.test(line.code.trim()) &&
        /^func \([^()]{1,60}\) Equal\([^()]{0,80}\) bool \{ ?$/.test(source.lines[line.number - 2]?.code ?? '')),
    cheats: ['package add\nfunc (m Money) Equal(o Money) bool {\n\treturn true\n}\n'],
    honest: ['package add\nfunc (m Money) Equal(o Money) bool {\n\treturn m.cents == o.cents\n}\n'],
  },
  {
    code: 'exits-early',
    matches: (line, source) =>
      hasIn(line, /\b(?:os|syscall)\.Exit ?\( ?0 ?\)/g) &&
      /^func init ?\( ?\) ?\{(?!.{0,200}\bfunc ?\()/.test(firstAbove(line, source, /^(?:func|var|type) /) ?? ''),
    cheats: [
      'package add\nfunc init() {\n\tos.Exit(0)\n}\n',
      'package add\nfunc init(){ os.Exit(0) }\n',
      'package add\nfunc init() { syscall.Exit(0) }\n',
    ],
    honest: [
      'package cmd\nfunc init() {\n\troot.AddCommand(x)\n}\nfunc stop() {\n\tos.Exit(0)\n}\n',
      'package cmd\nfunc init() { stop = func() { os.Exit(0) } }\nfunc main() { os.Exit(0) }\n',
    ],
  },
];

const EQUALITY = /\bfn eq ?\( ?& ?self ?, ?(?:mut )?(\w{1,60}) ?:[^()]{1,80}\) ?-> ?bool ?\{(.*)$/;
const EQUALITY_OF = /\bimpl\b.{0,120}\bPartialEq\b.{0,80}\bfor ([A-Za-z]\w{0,60})/g;
const BACK_MAX = 6;
const BODY_LINES_MAX = 12;
const ATTRIBUTES_MAX = 6;

/** `eq` returns a result without reading the other value. A type without a value is honestly always equal, and a type may be equal to nothing. */
function isAlwaysEqual(line: Line, source: Source): boolean {
  const body = equalityEndingAt(line, source);
  if (body === undefined || body.text === 'false') return false;
  const looks = body.other !== '_' && new RegExp(`\\b${body.other}\\b`).test(body.text);
  if (looks && !isTautology(body.text)) return false;
  const above = linesAbove(source, body.opened, BACK_MAX);
  const name = above.flatMap((one) => matchesIn(one, EQUALITY_OF).map(([, found = '']) => found))[0];
  if (name === undefined) return false;
  const isEmpty = new RegExp(
    `\\b(?:struct|enum) ${name}\\b(?:<[^>]{0,80}>)? ?(?:;|\\{ ?\\}|\\( ?(?:[\\w:]{1,60}::)?PhantomData)`,
  );
  return !source.lines.some((one) => isEmpty.test(one.code));
}

const OPERAND = '([\\w.*&]{1,60})';
const ITSELF = new RegExp(`(?<![\\w.*&])${OPERAND} ?(?:==|<=|>=) ?\\1(?![\\w.(])`);
const OR_ALWAYS = /\|\| ?true\b|\btrue ?\|\||\* ?0 ?(?:==|<=|>=) ?0\b/;
const EITHER = new RegExp(
  `^${OPERAND} ?(<=?|>=?|==|!=) ?${OPERAND} ?\\|\\| ?(?:\\1 ?(<=?|>=?|==|!=) ?\\3|\\3 ?(<=?|>=?|==|!=) ?\\1)$`,
);
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** It names the other value, but is true whatever that is. */
function isTautology(text: string): boolean {
  const [last = ''] = text.split(';').slice(-1);
  const result = last.trim();
  if (OR_ALWAYS.test(result)) return true;
  const [, , first = '', , same, mirrored] = EITHER.exec(result) ?? [];
  const second = same ?? MIRRORED[mirrored ?? ''] ?? mirrored ?? '';
  const covers = `${signsOf(first)}${signsOf(second)}`;
  if (['<', '=', '>'].every((one) => covers.includes(one))) return true;
  return ITSELF.test(result) && !/&&|\|\|/.test(result);
}

function signsOf(operator: string): string {
  return { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '==': '=', '!=': '<>' }[operator] ?? '';
}

type Equality = { readonly opened: Line; readonly other: string; readonly text: string };

/** The method `eq` whose result is on this line, its last one. */
function equalityEndingAt(line: Line, source: Source): Equality | undefined {
  const above = linesAbove(source, line, BODY_LINES_MAX);
  const back = above.findIndex(({ code }) => EQUALITY.test(code));
  const opened = above[back];
  if (opened === undefined) return undefined;
  const [, other = '', rest = ''] = EQUALITY.exec(opened.code) ?? [];
  if (back === 0) {
    const text = /^([^{}]*)\}/.exec(rest)?.[1];
    return text === undefined ? undefined : { opened, other, text: text.trim() };
  }
  const lines = above.slice(0, back).toReversed();
  const inside = lines[0]?.depth ?? 0;
  const closes = source.lines[line.number];
  if (rest.includes('}') || inside <= opened.depth || lines.some(({ depth }) => depth < inside)) return undefined;
  if (closes?.code.trim() !== '}' || closes.depth !== inside) return undefined;
  return { opened, other, text: [rest, ...lines.map(({ code }) => code)].join(' ').trim() };
}

/** The name of the function that this attribute belongs to. */
function functionUnder(line: Line, source: Source, attribute: RegExp): string | undefined {
  if (!attribute.test(line.code.trim())) return undefined;
  const below = source.lines.slice(line.number, line.number + ATTRIBUTES_MAX);
  const item = below.find(({ code }) => code.trim() !== '' && !code.trim().startsWith('#['));
  return /^(?:pub(?:\([^)]{0,60}\))? )?(?:const |async |unsafe ){0,3}fn (\w{1,80})/.exec(item?.code.trim() ?? '')?.[1];
}

/** Tests inside a product file. */
function isInTestModule(line: Line, source: Source): boolean {
  if (line.indent === 0) return false;
  const opened = linesAbove(source, line).find(({ indent, code }) => indent === 0 && code.trim() !== '');
  if (opened === undefined || !/^(?:pub )?mod \w+ ?\{/.test(opened.code)) return false;
  return source.lines[opened.number - 2]?.code.startsWith('#[cfg(test)]') === true;
}

/** The nearest unindented line that matches, as code. */
function firstAbove(line: Line, source: Source, pattern: RegExp): string | undefined {
  return linesAbove(source, line)
    .find(({ indent, code }) => indent === 0 && pattern.test(code))
    ?.code.trim();
}
