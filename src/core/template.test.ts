import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, isLiteralTemplate, literalTemplate } from './template.ts';

describe('fillTemplate', () => {
  it.each([
    ['fills every occurrence', '{{A}} and {{A}}', { A: 'x' }, 'x and x'],
    ['keeps replacement patterns of a value as they are', '[{{A}}]', { A: "$& $1 $` $' $$" }, "[$& $1 $` $' $$]"],
    ['does not look for placeholders in a value', '{{A}}{{B}}', { A: '{{B}}', B: '{{A}}' }, '{{B}}{{A}}'],
    ['does not build a placeholder out of two values', '{{A}}B}}', { A: '{{', B: 'x' }, '{{B}}'],
    ['leaves an unknown name as it stands', '{{A}} {{OTHER}}', { A: 'x' }, 'x {{OTHER}}'],
    [
      'leaves names of Object.prototype alone',
      '{{constructor}} {{__proto__}} {{toString}}',
      {},
      '{{constructor}} {{__proto__}} {{toString}}',
    ],
    ['leaves what is not a placeholder alone', '{{}} {{ A }} {A} {{A}', { A: 'x' }, '{{}} {{ A }} {A} {{A}'],
    ['fills a placeholder in extra braces', '{{{A}}}', { A: 'x' }, '{x}'],
    ['accepts an empty value', '[{{A}}]', { A: '' }, '[]'],
  ] as const)('%s', (_, template, values, filled) => {
    expect(fillTemplate(template, values)).toBe(filled);
  });

  it('lets values come out verbatim', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(fillTemplate('<{{A}}|{{B}}|{{A}}>', { A: a, B: b })).toBe(`<${a}|${b}|${a}>`);
      }),
    );
  });

  it('changes nothing without values', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{', '}', '{{', '}}', 'A', '$&', '{{A}}')), (parts) => {
        expect(fillTemplate(parts.join(''), {})).toBe(parts.join(''));
      }),
    );
  });
});

describe('literalTemplate', () => {
  it('comes out as the text it was made from, whatever looks like a placeholder in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', 'A', '-', '{{A}}', '{{OPENING-BRACES}}') }), (text) => {
        expect(fillTemplate(literalTemplate(text), { A: 'x' })).toBe(text);
        expect(isLiteralTemplate(literalTemplate(text))).toBe(true);
      }),
    );
  });

  it('tells such a template from one that is filled in', () => {
    expect(isLiteralTemplate('Read {{FILE}}.')).toBe(false);
  });
});
