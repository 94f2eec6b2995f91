const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;
const OPENING = 'OPENING-BRACES';

/**
 * Every `{{NAME}}` that has a value, in one pass: a value comes out as it went in, whatever placeholders or `$&` it holds.
 * A name without a value is left as it stands, so that a typo is seen.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    if (name === OPENING) return '{{';
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value ?? placeholder;
  });
}

/** A template that comes out as this very text, whatever looks like a placeholder in it. */
export function literalTemplate(text: string): string {
  return text.replaceAll('{{', () => `{{${OPENING}}}`);
}

/** Was it made by `literalTemplate`, so that nothing is filled in? */
export function isLiteralTemplate(template: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].every(([, name]) => name === OPENING);
}
