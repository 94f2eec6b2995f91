import type { PlantedTests, Planter, Replace } from './planter.ts';
import { argumentsIn, twoVersions, withOtherValue, withOtherValueOf } from './planter.ts';

/** For pytest and unittest. */
export const python: Planter = {
  extensions: ['py'],
  reaches: new RegExp(
    [
      String.raw`^\s*(?:import|from)\s+(?!\.|__future__\b|(?:typing|math|decimal|fractions|dataclasses|enum|re|json|collections|itertools|functools)\b)`,
      String.raw`^\s*import\s.*,|[;:]\s*(?:import|from)\s`,
      // Harmless modules export these among their own names, and a running generator exposes the frames of its callers.
      String.raw`\b_?(?:sys|os|builtins|inspect|gc|ctypes|importlib|modules)\b|\b(?:gi|cr|ag|tb|f|co)_(?:frame|code|back|globals|locals|builtins|consts)\b`,
      String.raw`__(?!init__|name__|main__|all__|repr__|str__|len__|iter__|doc__|future__|post_init__)\w+__`,
      String.raw`\b(?:getattr|setattr|delattr|globals|locals|vars|eval|exec|compile|open|type|metaclass|print|chr|bytes|exit|quit)\b`,
    ].join('|'),
  ),
  plant,
  otherExpectation,
  loads: /^(?:import[ \t][^\n\\]*|from[ \t]+\S+[ \t]+import[ \t]*(?:\([^)]*\)[^\n]*|[^\n(\\]*))$/gm,
  broken: (tag) => `raise RuntimeError('case ${tag}')\n`,
};

const MAIN = /^if __name__\b/m;
const EQUAL =
  /^\s*assert\s+(?!not\b)(?<left>.+?)\s==\s(?<literal>'[^'\\]*'|"[^"\\]*"|-?[\d.]+|True|False)\s*(?:[,#].*)?$/;
const UNSURE = /\b(?:or|if|not|for|in)\b/;
const ASSERT_EQUAL = /\.assertEquals?\(/;

function plant(text: string, tag: number): PlantedTests | undefined {
  const isFunctions = /^def test_/m.test(text);
  const isClasses = /^class \w+\(.*TestCase\)/m.test(text);
  if (!isFunctions && !isClasses) return undefined;
  const made = twoVersions(text, '(1 // 0)', otherExpectation);
  const added = `\n\n${isClasses ? classOf(tag) : functionsOf(tag)}\n`;
  const withTests = (version: string): string => {
    const end = MAIN.exec(version)?.index ?? version.length;
    return version.slice(0, end) + added + version.slice(end);
  };
  return { ...made, wrong: withTests(made.wrong), raising: withTests(made.raising) };
}

function otherExpectation(line: string, replace: Replace): string | undefined {
  if (line.trimStart().startsWith('#')) return undefined;
  const call = ASSERT_EQUAL.exec(line);
  if (call !== null) return withOtherValueOf(line, argumentsIn(line, call.index + call[0].length) ?? [], replace);
  const { left = '', literal = '' } = EQUAL.exec(line)?.groups ?? {};
  if (literal === '' || UNSURE.test(left)) return undefined;
  const at = line.indexOf(` == ${literal}`, line.indexOf(left) + left.length) + ' == '.length;
  return withOtherValue(line, { at, text: literal }, replace);
}

function functionsOf(tag: number): string {
  return `def test_case_${tag}():
    raise AssertionError('case ${tag}')


def test_case_${tag}_again():
    assert ${tag} == ${tag + 1}
`;
}

function classOf(tag: number): string {
  return `import unittest as unittest_${tag}


class TestCase${tag}(unittest_${tag}.TestCase):
    def test_case_${tag}(self):
        raise AssertionError('case ${tag}')

    def test_case_${tag}_again(self):
        self.assertEqual(${tag}, ${tag + 1})
`;
}
