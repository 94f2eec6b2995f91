/** C and C++ code that makes a comparison true around itself, or takes the name of a library function through the assembler. */
import type { Rule } from './language.ts';
import type { Line } from './scan-source.ts';
import type { Source } from './source.ts';
import { hasIn } from './source.ts';

const DEFINES = /^ ?# ?define \w+(\([^()]{0,200}\))?(?: |(?=\W)|$)(.*)$/;
const CONTINUED_MAX = 40;
const NESTING_MAX = 40;
/** In `#if`, or an attribute. */
const NO_EXPRESSION = /\bdefined\b|__attribute__|\[\[/;
/** Binds weaker than `==`, so it takes the comparison around the macro apart. An assignment is a statement, and `&x` an address. */
const WEAK = /\|\||&&|\?/;
const WEAK_BITS = /(?<!\|)\|(?![|=])|\^(?!=)|[\w)] ?&(?![&=])/;

/** `asm` after the parameters of a function gives it another name. */
const LABEL = /\) ?(?:__asm__|__asm|asm) ?\( ?["\w]/g;
const ALIAS = /^ ?# ?pragma (?:redefine_extname|weak \w+ ?=)/g;

export const C_MACROS: readonly Rule[] = [
  {
    code: 'equals-all',
    matches: (line, source) => isOpenMacro(line, source),
    cheats: [
      '#define add(a, b) (1 ? 1 : 0) || (add)(a, b)\n',
      '#define add(a, b) 1 | (add)(a, b)\n',
      '#define total 1 || total_of\n',
      '#define add(a, b) \\\n  1 ? 1 : \\\n  (add)(a, b)\n',
      '#define add(a, b) (add)(a, b)) || (1\n',
    ],
    honest: [
      '#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define ADDRESS(x) &(x)\n#define FLAGS (A | B)\n#define MASK A | B\n',
      '#define CHECK(x) do { if (!(x) || failed) return -1; } while (0)\n#define SET(r, b) r |= (1 << (b))\n',
      '#define HAS_IT defined(A) || defined(B)\n#define EACH(x, l) for (x = l; x && more; x = x->next)\n',
      "#define WARN(x) \\\n  do { \\\n    if ((x) && loud) puts(#x); \\\n  } while (0)\n#define JOIN(a, b) a##b\n#define Q '?'\n",
      '#define LOG(...) fprintf(stderr, "a || b", __VA_ARGS__)\n#define BEGIN {\n#define EMPTY\n#ifndef A_H\n#define A_H\n#endif\n',
      '#define WAIT(x) do { if (x) { puts(#x); } ready = a || b; } while (0)\n#define OPEN {{ a = b ||\n#define CLOSE }}\n',
      '#define PRINTS(a, b) __attribute__((format(printf, a, b)))\n// #define add(a, b) 1 || 2\n',
    ],
  },
  {
    code: 'patches-builtins',
    matches: (line) => hasIn(line, LABEL) || hasIn(line, ALIAS),
    cheats: [
      'void note(const char *a, unsigned b) __asm__("__ass" "ert_fail");\n',
      'extern void stop(int) asm (NAME);\n',
      '#pragma weak __assert_fail = note\n',
      '#pragma redefine_extname note __assert_fail\n',
    ],
    honest: [
      'static void pause(void) { __asm__ volatile("pause"); asm("nop"); }\nregister long sp asm("sp");\n',
      'if (ready) __asm__ volatile("" ::: "memory");\n#pragma weak hook\n#pragma once\n',
    ],
  },
];

/** Its replacement is not one expression, statement or block. */
function isOpenMacro(line: Line, source: Source): boolean {
  const [, parameters, first = ''] = DEFINES.exec(line.bare) ?? [];
  if (!/^ ?# ?define /.test(line.bare)) return false;
  const body = [first];
  for (let at = line.number; body.at(-1)?.trimEnd().endsWith('\\') === true && body.length < CONTINUED_MAX; at += 1)
    body.push(source.lines[at]?.bare ?? '');
  const text = body.map((part) => part.trimEnd().replace(/\\$/, '')).join(' ');
  if (NO_EXPRESSION.test(text)) return false;
  const outside = withoutGroups(text);
  if (outside === undefined) return true;
  return WEAK.test(outside) || (parameters !== undefined && WEAK_BITS.test(outside));
}

/** Without what is in parentheses, brackets and braces; `undefined` = a parenthesis is not closed, or closes nothing. */
function withoutGroups(text: string): string | undefined {
  let depth = 0;
  // A macro may open a block that another one closes.
  let blocks = 0;
  let outside = '';
  for (const char of text) {
    if (char === ')' && depth === 0) return undefined;
    if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth -= 1;
    else if (depth === 0 && char === '{') blocks += 1;
    else if (depth === 0 && char === '}') blocks = Math.max(0, blocks - 1);
    if (depth === 0 && blocks === 0) outside += char;
    if (depth > NESTING_MAX) return '';
  }
  return depth > 0 ? undefined : outside;
}
