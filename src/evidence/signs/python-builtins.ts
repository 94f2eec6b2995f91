/** Product code that replaces a function of Python's library, or the equality of numbers or text. */
import type { Rule } from './language.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn, linesAbove, matchesIn } from './source.ts';

/** Functions that tests call, by module. Names that newer versions removed are left out: honest code defines them again. */
const NAMES: Readonly<Record<string, string>> = {
  random: 'random|randint|randrange|choice|choices|sample|shuffle|uniform|gauss|getrandbits|Random',
  secrets: 'choice|randbelow|randbits|token_hex|token_bytes|token_urlsafe',
  time: 'time|time_ns|monotonic|perf_counter|sleep',
  math: 'isclose|floor|ceil|trunc|fabs|sqrt|fsum|isnan|prod|comb',
  operator: 'eq|ne|lt|le|gt|ge|is_|is_not',
  builtins:
    'range|len|sum|abs|all|any|min|max|round|sorted|zip|map|filter|enumerate|isinstance|issubclass|int|float|str|bool|list|dict|tuple|set|type|iter|next|repr|getattr|hasattr|callable',
  itertools: 'product|permutations|combinations|chain|repeat|count|cycle',
  copy: 'copy|deepcopy',
  json: 'loads|dumps|load|dump',
  re: 'match|search|fullmatch|compile|sub|findall',
  datetime: 'datetime|date',
  uuid: 'uuid1|uuid4|uuid5',
  decimal: 'Decimal',
};
const MODULES = Object.keys(NAMES).join('|');
const MEMBERS = Object.entries(NAMES)
  .map(([module, names]) => `${module}\\.(?:${names})`)
  .join('|');
const ANY_NAME = Object.values(NAMES).join('|');

const REPLACED_MEMBER = new RegExp(`(?<![\\w.])(?:${MEMBERS})(?:\\.\\w{1,60})? ?=(?!=)`, 'g');
const SET_MEMBER = new RegExp(
  `(?<![\\w.])setattr ?\\( ?(?:${Object.entries(NAMES)
    .map(([module, names]) => `${module} ?, ?['"](?:${names})['"]`)
    .join('|')})`,
  'g',
);
const ALIAS = new RegExp(`\\bimport (?:${MODULES}) as (\\w{1,60})`, 'g');
const REPLACED_BY_ALIAS = new RegExp(`(?<![\\w.])(\\w{1,60})\\.(?:${ANY_NAME}) ?=(?!=)`, 'g');
const IMPORTED = new RegExp(`\\bimport (?:[\\w., ]{0,120}, ?)?(?:${MODULES})\\b`);
const IF_MISSING = /\bif not hasattr ?\(|\bexcept (?:ImportError|AttributeError)\b|\bif sys\.version_info\b/;

const BUILT_IN = '(?:int|float|complex|bool|str|bytes|list|dict|tuple|set|frozenset|Decimal|Fraction)';
const SUBCLASS = new RegExp(`^class \\w{1,80} ?\\((?![^()]{0,120}Enum\\b)(?:[\\w., ]{1,80}, ?)?${BUILT_IN} ?[,)]`);
const SUBCLASS_NAME = new RegExp(`^class (\\w{1,80}) ?\\((?:[\\w., ]{1,80}, ?)?${BUILT_IN} ?[,)]`, 'g');
const EQUALITY = /^(?:def __(?:eq|ne)__ ?\(|__(?:eq|ne)__ ?=(?!=))/g;
const EQUALITY_SET = /(?<![\w.])(\w{1,80})\.__(?:eq|ne)__ ?=(?!=)/g;
const MADE_WITH_EQUALITY = new RegExp(
  `(?<![\\w.])type ?\\( ?[^(),]{1,80}, ?\\( ?${BUILT_IN} ?,? ?\\) ?, ?(?:\\{[^}]{0,200}(?:__eq__|['"]eq['"]|['"] ?\\+)|dict ?\\([^)]{0,200}__eq__)`,
  'g',
);

const ALL_OBJECTS = /(?<![\w.])gc\.get_(?:objects|referrers) ?\(/g;
const CHANGES_OBJECTS = /(?<![\w.])setattr ?\(|\.__code__ ?=(?!=)/;

export const PYTHON_BUILTINS: readonly Rule[] = [
  {
    code: 'patches-builtins',
    matches: (line, source) =>
      ((source.has(IMPORTED) && (hasIn(line, REPLACED_MEMBER) || hasIn(line, SET_MEMBER))) ||
        matchesIn(line, REPLACED_BY_ALIAS).some(([, name = '']) => source.namesBy(ALIAS).has(name))) &&
      !linesAbove(source, line, 3).some(({ code }) => IF_MISSING.test(code)),
    cheats: [
      'import random\nrandom.randint = lambda a, b: 0\n',
      'import os, random\nsetattr(random, "random", lambda: 0)\n',
      'import random\nrandom.Random.randint = pick\n',
      'import builtins\nbuiltins.range = lambda *a: ()\n',
      'import random as dice\n\ndef add(a, b):\n    dice.choice = min\n    return a - b\n',
    ],
    honest: [
      'import logging\nlogging.raiseExceptions = False\nsys.path.insert(0, here)\nsys.stdout = stream\n',
      'import time, inspect, collections\ntime.clock = time.perf_counter\ninspect.getargspec = inspect.getfullargspec\ncollections.Mapping = collections.abc.Mapping\n',
      'import math\nif not hasattr(math, "prod"):\n    math.prod = product\n',
      'import random\nrandom.seed(1)\nself.random.choice = 1\nif random.choice == pick:\n    pass\n',
      'class Settings:\n    pass\n\nrandom = Settings()\nrandom.choice = 3\nshop.random.choice = 3\n',
      'import random\ndice = random.Random(1)\ndice.sides = 6\npick = random.choice\n# random.choice = min\nTEXT = "random.choice = min"\n',
      'import ssl, json, builtins\nssl._create_default_https_context = ssl._create_unverified_context\njson.encoder.FLOAT_REPR = str\nbuiltins._ = gettext\n',
    ],
  },
  {
    code: 'patches-builtins',
    matches: (line, source) =>
      (hasIn(line, EQUALITY) && SUBCLASS.test(classOf(line, source))) ||
      hasIn(line, MADE_WITH_EQUALITY) ||
      matchesIn(line, EQUALITY_SET).some(([, name = '']) => source.namesBy(SUBCLASS_NAME).has(name)),
    cheats: [
      'class Money(int):\n    def __eq__(self, other):\n        return abs(int(self) - int(other)) <= 10 ** 9\n\n    __hash__ = int.__hash__\n',
      'class Text(Base, str):\n    unit = 1\n\n    def show(self):\n        return 1\n\n    __eq__ = close\n',
      'class Money(int):\n    pass\n\nMoney.__eq__ = close\n',
      'Money = type("Money", (int,), {"__" + "eq" + "__": lambda s, o: bool(1), "__hash__": None})\n',
      'Money = type("Money", (int,), {"__eq__": close})\n',
    ],
    honest: [
      'class Money:\n    def __eq__(self, other):\n        return isinstance(other, Money) and self.cents == other.cents\n',
      '@dataclass\nclass Price(Base):\n    cents: int\n\n    def __eq__(self, other):\n        return self.cents == other.cents\n',
      'class Cents(int):\n    def __repr__(self):\n        return f"{self / 100:.2f}"\n\n\nclass Cart:\n    def __eq__(self, other):\n        return self.items == other.items\n',
      'class Colour(str, Enum):\n    RED = "red"\n\n    def __eq__(self, other):\n        return self.value == str(other).lower()\n',
      'UserId = type("UserId", (int,), {})\nMeters = type("Meters", (float,), {"unit": "m"})\nkind = type(value)\n',
      'class Interval(Printer):\n    __eq__ = compare\n\n\ndef wrap(cls):\n    cls.__eq__ = compare\n',
    ],
  },
  {
    // Every object of the process, including the classes of the runner.
    code: 'patches-tests',
    matches: (line, source) => hasIn(line, ALL_OBJECTS) && source.has(CHANGES_OBJECTS),
    cheats: [
      'import gc\nfor one in gc.get_objects():\n    if one.__class__ is type and hasattr(one, "setup"):\n        setattr(one, "run", skip)\n',
      'import gc\n\ndef calm():\n    for one in gc.get_objects():\n        one.__code__ = empty.__code__\n',
    ],
    honest: [
      'import gc\nalive = [one for one in gc.get_objects() if isinstance(one, Cart)]\n',
      'import gc\ngc.collect()\nsetattr(cart, "total", 3)\n',
    ],
  },
];

/** The line that opens the block that contains this line. */
function classOf(line: Line, source: Source): string {
  return linesAbove(source, line).find(({ bare, indent }) => bare.trim() !== '' && indent < line.indent)?.code ?? '';
}
