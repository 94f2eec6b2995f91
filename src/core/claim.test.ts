import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClaimRule } from './claim.ts';
import { findClaim, NATIVE_CLAIM } from './claim.ts';
import type { PromptMark } from './prompt-mark.ts';
import { promptMark } from './prompt-mark.ts';

const TAG = '<promise>DONE</promise>';
const ANYWHERE: ClaimRule = { ...NATIVE_CLAIM, form: 'tag-anywhere' };
const TEXT: ClaimRule = { texts: ['All tests passing'], form: 'text-anywhere', tag: 'promise', fold: true };

function made(message: string, rule: ClaimRule = NATIVE_CLAIM, prompt = ''): string | null {
  return findClaim(rule, message, prompt).made;
}

function native(...texts: string[]): ClaimRule {
  return { ...NATIVE_CLAIM, texts };
}

describe('a tag alone on its line', () => {
  it.each([
    ['is the whole message', TAG],
    ['ends a message', `All green.\n${TAG}`],
    ['stands before more text', `${TAG}\nI am happy with it.`],
    ['has white space around it', `  ${TAG} \t`],
    ['has white space inside it', '<promise>  DONE </promise>'],
    ['has non-breaking spaces', '\u00A0<promise>\u00A0DONE\u202F</promise>\u00A0'],
    ['is in another case', '<Promise>done</PROMISE>'],
    ['is spread over lines', 'Ready.\n<promise>\n DONE \n</promise>\nBye.'],
    ['opens on the line of its text', '<promise>DONE\n</promise>'],
    ['has Windows line ends', `Ready.\r\n${TAG}\r\n`],
    ['has old Macintosh line ends', `Ready.\r${TAG}\rBye.`],
    ['comes after a tag with another text', `<promise>NOT YET</promise>\n${TAG}`],
    ['comes after a tag that is never closed', `<promise>\nhm\n${TAG}`],
    ['comes after a closed fence', `\`\`\`\ncode\n\`\`\`\n${TAG}`],
    ['comes after inline code', `I ran \`npm test\` and \`\`a \` b\`\`.\n${TAG}`],
    ['comes after inline code that looks like a fence', `\`\`\`npm test\`\`\` is green\n${TAG}`],
    ['comes after a quote and a blank line', `> the goal\n\n${TAG}`],
    ['goes on with an indented list item', `- result:\n    ${TAG}`],
    ['is indented less than code', `1. Ready\n\n   ${TAG}`],
    ['comes after an indented fence of a list', `10. Ran it:\n    ~~~\n    ok\n    ~~~\n\n${TAG}`],
    ['comes after a fence behind a list mark', `- \`\`\`\n  ok\n  \`\`\`\n\n${TAG}`],
    ['comes after a list item with an odd back-tick', `- a \` b\n- c\n\n${TAG}`],
    ['comes after a comment', `<!-- ${TAG} -->\n<!--\nnot yet\n-->\n${TAG}`],
    ['comes after a comment without an end in another paragraph', `It ends at <!-- now.\n\n${TAG}`],
    ['comes after the name of an element as code', `It escapes \`<pre>\` and \`<!--\`.\n${TAG}`],
    ['comes after the name of an element in another paragraph', `It escapes <pre> now.\n\n${TAG}`],
    ['comes after the name of an element that begins a paragraph', `<code> is escaped now.\n\n${TAG}`],
    ['comes after an element with a longer name', `<preview>\n<pre-set>\n${TAG}`],
    ['comes after thoughts', `<thinking>\n${TAG}?\n\nNo: yes.\n</thinking>\n${TAG}`],
    ['comes after code in HTML', `<pre><code>\n${TAG}\n\n</code></pre>\n${TAG}`],
    ['stands in an element that hides nothing', `<result>\n${TAG}\n</result>`],
    ['has a byte order mark', `\uFEFF${TAG}`],
    ['has line ends of other alphabets around it', `\u2028${TAG}\u2029`],
    ['comes after a table, a rule and a heading', `| a |\n|---|\n\n---\n## Result\n${TAG}`],
    ['is said twice', `${TAG}\n${TAG}`],
    ['is followed by many empty lines', `${TAG}${'\n'.repeat(50)}`],
  ])('claims when it %s', (_, message) => {
    expect(made(message)).toBe('DONE');
  });

  it.each([
    ['a bare text', 'DONE'],
    ['an empty message', ''],
    ['a tag in a sentence', `I will not output ${TAG} yet.`],
    ['a tag at the end of a sentence', `I would say ${TAG}`],
    ['a tag with another text', '<promise>ALMOST DONE</promise>'],
    ['a tag without a text', '<promise></promise>'],
    ['a tag with text after it', `${TAG} soon`],
    ['two tags on a line', `${TAG}${TAG}`],
    ['a tag as a list item', `- ${TAG}`],
    ['a tag in bold', `**${TAG}**`],
    ['a tag in inline code', `\`${TAG}\``],
    ['a tag in inline code over lines', `Then say \`\n${TAG}\n\` alone.`],
    ['a tag in a fence', `\`\`\`\n${TAG}\n\`\`\``],
    ['a tag in a fence with a language', `~~~xml title="a"\n${TAG}\n~~~`],
    ['a tag in a fence that is never closed', `\`\`\`\nx\n\n${TAG}`],
    ['a tag in a fence that a shorter one does not close', `\`\`\`\`\n\`\`\`\n${TAG}\n\`\`\`\``],
    ['a tag in a fence that the other kind does not close', `\`\`\`\n~~~\n${TAG}\n\`\`\``],
    ['a tag in a fence that a line with a language does not close', `\`\`\`\n\`\`\`sh\n${TAG}\n\`\`\``],
    ['a tag in a fence that an indented line does not close', `\`\`\`\n    \`\`\`\n${TAG}\n\`\`\``],
    ['a tag in an indented fence', `   ~~~\n   ${TAG}\n   ~~~`],
    ['a tag in a fence behind a list mark', `1. \`\`\`\n   ${TAG}\n   \`\`\``],
    ['a tag in a fence in a list', `10. Like this:\n    \`\`\`\n    ${TAG}\n    \`\`\``],
    ['a tag in a fence after a list item that left one open', `- ~~~\n  x\n\n~~~\n${TAG}\n~~~`],
    ['a tag in a fence after an indented line that looks like one', `so:\n    ~~~\n~~~\n${TAG}\n~~~`],
    ['a tag in a quote', `> ${TAG}`],
    ['a tag in a quote without a space', `  >${TAG}`],
    ['a tag that goes on with a quote in a list', `- > Then say:\n${TAG}`],
    ['a tag that goes on with a fence its list item left open', `- ~~~\n  x\n${TAG}`],
    ['a tag that goes on with a quote', `> Then say:\n${TAG}`],
    ['a tag in an indented block', `Like this:\n\n    ${TAG}`],
    ['a tag in a block indented by a tab', `Like this:\n\n\t${TAG}`],
    ['an indented tag under a heading', `## Example\n    ${TAG}`],
    ['a tag at the start, indented as code', `    ${TAG}`],
    ['a tag with a fence in it', '<promise>\n```\n```\nDONE\n</promise>'],
    ['a closing tag of another name', '<promise>DONE</blocked>'],
    ['a tag in a comment', `<!-- ${TAG} -->`],
    ['a tag in a comment over lines', `Ready?\n\n<!--\n${TAG}\n-->\nNo.`],
    ['a tag in a comment with empty lines', `<!-- so:\n\n${TAG}\n\n-->`],
    ['a tag in a comment that is never closed', `<!--\n\n${TAG}`],
    ['a tag in a comment that begins within a line', `I am not ready. <!--\n${TAG}\n-->`],
    ['a tag in a comment in a list', `- <!--\n  ${TAG}\n  -->`],
    ['a tag in a comment that begins on the line of another', `<!-- a --> <!--\n${TAG}\n-->`],
    ['a tag in a comment after a quote', `> no\n<!--\n\n${TAG}\n-->`],
    ['a tag in a comment after an odd back-tick', `it\`s so\n<!--\n\n${TAG}\n-->`],
    ['a tag on the line that ends a comment', `<!--\n--> ${TAG}`],
    ['a tag with a comment in it', '<promise>\n<!--\nDONE\n-->\n</promise>'],
    ['a tag with a comment before it', `<!-- -->${TAG}`],
    ['a tag in <pre>', `<pre>\n${TAG}\n</pre>`],
    ['a tag in <pre> with empty lines', `<PRE class="x">\n\n${TAG}\n\n</PRE>`],
    ['a tag in <pre> within a line', `Like this: <pre>\n${TAG}\n</pre>`],
    ['a tag in <code>', `<code>\n${TAG}\n</code>`],
    ['a tag in <blockquote>', `<blockquote>\n\n${TAG}\n\n</blockquote>`],
    ['a tag in <script>', `<script>\n${TAG}\n</script>`],
    ['a tag in CDATA', `<![CDATA[\n${TAG}\n]]>`],
    ['a tag in thoughts', `<think>\nShall I say\n\n${TAG}\n</think>\nNot yet.`],
    ['a tag with a zero-width space in its name', `<pro\u200Bmise>DONE</pro\u200Bmise>`],
    ['a tag with a zero-width space before it', `\u200B${TAG}`],
    ['a tag with a zero-width joiner after it', `${TAG}\u200D`],
    ['a tag with a zero-width space in its text', '<promise>DO\u200BNE</promise>'],
    ['a tag with a soft hyphen in its text', '<promise>DO\u00ADNE</promise>'],
    ['a tag with a direction mark before it', `\u202E${TAG}`],
    ['a tag with a letter of another alphabet', '<promise>D\u041ENE</promise>'],
    ['a tag in full-width letters', '\uFF1Cpromise\uFF1EDONE\uFF1C/promise\uFF1E'],
    ['a tag as entities', '&lt;promise&gt;DONE&lt;/promise&gt;'],
    ['a tag with an attribute', '<promise id="1">DONE</promise>'],
    ['a tag with spaces in its name', '< promise >DONE</ promise >'],
    ['a tag that closes itself', '<promise DONE/>'],
    ['a tag in a table', `| ${TAG} |`],
    ['a tag as a heading', `# ${TAG}`],
    ['a tag as a task', `- [x] ${TAG}`],
    ['a tag as a numbered item', `1. ${TAG}`],
    ['a tag in italics', `_${TAG}_`],
    ['a tag in quotation marks', `"${TAG}"`],
    ['a tag crossed out', `~~${TAG}~~`],
    ['a tag as a link', `[${TAG}](x)`],
    ['a tag that is denied', `NOT ${TAG}`],
    ['half of a tag', '<promise>DO'],
    ['the other half of a tag', 'NE</promise>'],
    ['a tag in JSON', `{"result": "\\n${TAG}\\n"}`],
    ['a tag as the answer of a shell', `$ echo '${TAG}'`],
    ['a tag behind lines of another kind', `no\u2028${TAG}\u2028yet\v${TAG}\f${TAG}\u0085${TAG}`],
  ])('does not take %s for a claim', (_, message) => {
    expect(findClaim(NATIVE_CLAIM, message, '')).toEqual({ made: null, blocked: null });
  });
});

describe('the texts of a claim', () => {
  it.each([
    [
      'takes any of several texts, and names the one that matched',
      native('DONE', 'NOTHING TO DO'),
      '<promise>nothing  to do</promise>',
      'NOTHING TO DO',
    ],
    ['folds white space of the rule too', native(' ALL\n  DONE '), '<promise>all done</promise>', ' ALL\n  DONE '],
    [
      'takes characters of regular expressions literally',
      native('a.c (1+1) [x]* \\d $&'),
      '<promise>a.c (1+1) [x]* \\d $&</promise>',
      'a.c (1+1) [x]* \\d $&',
    ],
    ['does not let a dot stand for a letter', native('a.c'), '<promise>abc</promise>', null],
    ['matches emoji', native('✅ 👩‍💻 done'), '<promise>✅ 👩‍💻 Done</promise>', '✅ 👩‍💻 done'],
    [
      'matches composed with decomposed letters',
      native('Vérifié'),
      '<promise>Ve\u0301rifie\u0301</promise>',
      'Vérifié',
    ],
    [
      'matches decomposed with composed letters',
      native('Ve\u0301rifie\u0301'),
      '<promise>VÉRIFIÉ</promise>',
      'Ve\u0301rifie\u0301',
    ],
    ['folds case as languages do', native('Größe ΟΔΟΣ'), '<promise>GRÖSSE οδος</promise>', 'Größe ΟΔΟΣ'],
    ['never matches an empty text', native('', '  '), '<promise> </promise>', null],
    ['makes no claim without texts', native(), TAG, null],
    ['has its own tag', { ...NATIVE_CLAIM, tag: 'a+b' }, '<a+b>DONE</a+b>', 'DONE'],
  ] as const)('%s', (_, rule, message, expected) => {
    expect(made(message, rule)).toBe(expected);
  });

  it.each([
    ['<promise>All Done</promise>', 'All Done'],
    ['<promise> All Done </promise>', 'All Done'],
    ['<promise>all done</promise>', null],
    ['<promise>All  Done</promise>', null],
    ['<Promise>All Done</Promise>', null],
  ])('are exact when not folded: %s', (message, expected) => {
    expect(made(message, { ...NATIVE_CLAIM, texts: ['All Done'], fold: false })).toBe(expected);
    expect(made(message, { ...ANYWHERE, texts: ['All Done'], fold: false })).toBe(expected);
  });
});

describe('a tag anywhere', () => {
  it.each([
    ['in a sentence', `So I say ${TAG} now.`, 'DONE'],
    ['in a fence', `\`\`\`\n${TAG}\n\`\`\``, 'DONE'],
    ['over lines, in another case', 'x <PROMISE>\n done\n</promise> y', 'DONE'],
    ['after an unclosed one', '<promise>hm <promise>DONE</promise>', 'DONE'],
    ['after one with another text', `<promise>no</promise>${TAG}`, 'DONE'],
    ['with another text', '<promise>no DONE</promise>', null],
    ['unclosed', '<promise>DONE', null],
    ['bare', 'DONE', null],
  ])('is found %s', (_, message, expected) => {
    expect(made(message, ANYWHERE)).toBe(expected);
  });
});

describe('a text anywhere', () => {
  it.each([
    ['in a sentence', 'Now: ALL TESTS PASSING!', 'All tests passing'],
    ['over a line end', 'all tests\n  passing', 'All tests passing'],
    ['not in part', 'All tests pass', null],
  ])('is found %s', (_, message, expected) => {
    expect(made(message, TEXT)).toBe(expected);
  });

  it('is found composed or decomposed', () => {
    const rule = { ...TEXT, texts: ['vérifié'] };
    expect([made('C’est Vérifié.', rule), made('C’est Ve\u0301rifie\u0301.', rule)]).toEqual(['vérifié', 'vérifié']);
  });

  it('is never found when it is empty', () => {
    expect(made('anything', { ...TEXT, texts: [' '] })).toBeNull();
  });
});

describe('a blocked agent', () => {
  it.each([
    ['says why on a line of its own', 'Hm.\n<blocked>no API key</blocked>', 'no API key'],
    ['says why over lines', '<Blocked>\nno\n  API key\n</Blocked>', 'no API key'],
    ['says it last', '<blocked>first</blocked>\n<blocked>second</blocked>', 'second'],
    ['says nothing in a sentence', 'Or <blocked>why</blocked> it is.', null],
    ['says nothing in a fence', '```\n<blocked>why</blocked>\n```', null],
    ['says nothing without a reason', '<blocked> </blocked>', null],
  ])('%s', (_, message, why) => {
    for (const rule of [NATIVE_CLAIM, ANYWHERE, TEXT]) expect(findClaim(rule, message, '').blocked).toBe(why);
  });

  it('may claim in the same message: both are reported', () => {
    expect(findClaim(NATIVE_CLAIM, `${TAG}\n<blocked>why</blocked>`, '')).toEqual({ made: 'DONE', blocked: 'why' });
  });

  it('is not quoted at any length', () => {
    const why = findClaim(NATIVE_CLAIM, `<blocked>${'ü'.repeat(100_000)}</blocked>`, '').blocked;
    expect(why).toMatch(/^ü+ \[\d+ bytes left out\]$/);
    expect(why?.length).toBeLessThan(2000);
  });
});

describe('an echo of the prompt', () => {
  const prompt = `Fix it.  \nThen say:\n\n${TAG}\n\n\`\`\`\nunclosed`;

  it.each([
    ['is no claim', prompt, null],
    ['is no claim with other line ends', prompt.replaceAll('\n', ' \r\n'), null],
    ['is no claim inside a message', `You asked: ${prompt}\nI am on it.`, null],
    ['hides no claim that follows', `${prompt}\n${TAG}`, 'DONE'],
    ['hides no claim before it', `${TAG}\n${prompt}`, 'DONE'],
    ['is taken out once only', `${prompt}\n\n${prompt}`, 'DONE'],
    ['does not join what stands around it', `<promise>${prompt}DONE</promise>`, null],
    ['does not leave a tag alone on its line', `I will not say ${prompt} ${TAG}`, null],
  ])('%s', (_, message, expected) => {
    expect(made(message, NATIVE_CLAIM, prompt)).toBe(expected);
  });

  it.each([
    ['of the goal alone is no claim', `You want me to:\n\n${prompt}\n\nI begin.`, prompt, null],
    ['of the goal hides no claim that follows', `${prompt}\n${TAG}`, prompt, 'DONE'],
    ['of a goal of one line is nothing special', TAG, ` ${TAG}\n`, 'DONE'],
  ])('%s', (_, message, goal, expected) => {
    expect(findClaim(NATIVE_CLAIM, message, 'Another prompt.', goal).made).toBe(expected);
  });

  it.each([ANYWHERE, TEXT])('is no claim under the rules of the dialects', (rule) => {
    const asked = `Make All tests passing true, then write ${TAG}`;
    expect([made(`So: "${asked}"`, rule, asked), made(`So: "${asked}"`, rule)]).toEqual([null, rule.texts[0]]);
  });

  it('is not cut out of a claim when it could not be one itself', () => {
    expect(made('<promise>Fix it all</promise>', native('Fix it all'), 'Fix it')).toBe('Fix it all');
    expect(made('All tests passing', TEXT, 'tests')).toBe('All tests passing');
  });

  it.each(['All tests passing', '- all  TESTS passing.', '**All tests passing**'])(
    'that is nothing but the claim is the claim: %j',
    (asked) => {
      expect(made(`Done: ${asked}`, { ...TEXT, fold: true }, asked)).toBe('All tests passing');
      expect(made('Still at it.', { ...TEXT, fold: true }, asked)).toBeNull();
    },
  );

  it('is no claim also when it is one of the prompts before, or the beginning of one', () => {
    const prompts = (): PromptMark[] => [`Fix it.\n\n${TAG}\n\nSay\n${TAG}`, `Fix it.\n\n${TAG}`].map(promptMark);
    expect(findClaim(NATIVE_CLAIM, `Fix it.\n\n${TAG}\n\nSay\n${TAG}`, prompts).made).toBeNull();
    expect(findClaim(NATIVE_CLAIM, `Fix it.\n\n${TAG}\n\nSay\n${TAG}\n${TAG}`, prompts).made).toBe('DONE');
  });

  it('is found wherever it stands', () => {
    const part = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'aab', '\n', '<promise>'), { maxLength: 12 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(part, part, part, (before, middle, after) => {
        const asked = `a${middle}${TAG}b`;
        expect(made(`${before}${asked}${after}`, ANYWHERE, asked)).toBeNull();
      }),
    );
  });
});

describe('hostile messages', () => {
  const SMALL = 1 << 15;
  const GROWTH = 16;
  const rows: [string, (size: number) => string][] = [
    ['opening tags', (size) => '<promise>'.repeat(size / 9)],
    ['opening tags on lines', (size) => '<promise>\n'.repeat(size / 10)],
    ['empty tags on lines', (size) => '<promise></promise>\n'.repeat(size / 20)],
    ['one tag full of white space', (size) => `<promise>${' '.repeat(size)}x`],
    ['one tag full of accents', (size) => `<promise>${'\u0301\u0323'.repeat(size / 2)}</promise>`],
    ['back-ticks', (size) => '`'.repeat(size)],
    ['comments', (size) => '<!-- --><!--\n'.repeat(size / 13)],
    ['elements on one line', (size) => '<pre></pre><code '.repeat(size / 17)],
    ['runs of back-ticks', (size) => '`` ` ``` '.repeat(size / 9)],
    ['fences', (size) => '```\n~~~ x\n'.repeat(size / 10)],
    ['white space', (size) => `${' '.repeat(size)}x`],
    ['blank lines', (size) => '\r\n'.repeat(size / 2)],
    ['list marks', (size) => '- '.repeat(size / 2)],
    ['quote marks', (size) => '>'.repeat(size)],
    ['almost the prompt, again and again', (size) => 'a'.repeat(size)],
  ];

  it.each(rows)('take time in proportion to their length: %s', (_, build) => {
    for (const rule of [NATIVE_CLAIM, ANYWHERE, TEXT]) {
      // 16 times the text may take 16 times as long, not 256 times; the factor in between leaves room for noise.
      expect(costOf(rule, build(SMALL * GROWTH))).toBeLessThan(Math.max(costOf(rule, build(SMALL)), 1000) * GROWTH * 6);
    }
  });

  function costOf(rule: ClaimRule, message: string): number {
    const prompt = `${'a'.repeat(message.length / 2)}b All tests passing <promise>`;
    return Math.min(...[1, 2].map(() => cpuOf(() => findClaim(rule, message, prompt))));
  }

  function cpuOf(work: () => unknown): number {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user;
  }
});

describe('a text as it is written', () => {
  const written = (...texts: string[]): ClaimRule => ({ texts, form: 'text-as-written', tag: '', fold: false });

  it.each([
    ['is the whole message', 'DONE', 'DONE'],
    ['is part of a word', 'DONE', 'ABANDONED? No: UNDONE'],
    ['has white space around it', ' DONE ', 'it is DONE now'],
    ['ends with a space at the end of a line', 'DONE ', 'all DONE \nbye'],
    ['has a line end in it', 'ALL\r\nDONE', 'ALL\r\nDONE'],
    ['stands in code', 'DONE', '```\nDONE\n```'],
    ['is composed as the message is', '\u00E9', 'caf\u00E9'],
  ])('is a claim when it %s', (_, text, message) => {
    expect(made(message, written(text))).toBe(text);
  });

  it.each([
    ['only without its white space', ' DONE ', 'ABANDONED, DONE, DONE.'],
    ['in another case', 'DONE', 'done Done'],
    ['in another Unicode form', '\u00E9', 'cafe\u0301'],
    ['in a compatible letter', 'DONE', '\uFF24\uFF2F\uFF2E\uFF25'],
    ['with other line ends', 'ALL\r\nDONE', 'ALL\nDONE'],
    ['with more white space', 'ALL DONE', 'ALL  DONE'],
    ['not at all', '', 'anything'],
  ])('is no claim when it is there %s', (_, text, message) => {
    expect(made(message, written(text))).toBeNull();
  });

  it('is no claim in one copy of the prompt, and one in any other place', () => {
    const prompt = 'Write DONE when\nall is done.';
    expect(made(`> ${prompt}`, written('DONE'), prompt)).toBeNull();
    expect(made(`${prompt}\n\nDONE`, written('DONE'), prompt)).toBe('DONE');
  });

  it('is a claim also when the prompt is nothing but this text', () => {
    expect(made('DONE', written('DONE'), 'DONE')).toBe('DONE');
  });

  it('is a claim also in a copy of the goal, which stands in for a first prompt that was not ours', () => {
    expect(findClaim(written('DONE'), '# All DONE', 'All DONE', 'All DONE').made).toBe('DONE');
  });

  it('does not hide that the agent is blocked', () => {
    expect(findClaim(written('DONE'), 'hm\n<blocked>no key</blocked>', '').blocked).toBe('no key');
  });
});
