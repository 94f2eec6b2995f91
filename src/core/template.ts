const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;
const OPENING = 'OPENING-BRACES';

/**
 * Fills in every `{{NAME}}` that has a value, in one pass: a value is inserted verbatim, whatever placeholders or `$&` it contains.
 * A name without a value stays as it is, so that a typo is visible.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    if (name === OPENING) return '{{';
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value ?? placeholder;
  });
}

/** A template that renders as exactly this text, even if parts of it look like placeholders. */
export function literalTemplate(text: string): string {
  return text.replaceAll('{{', () => `{{${OPENING}}}`);
}

/** Was it made by `literalTemplate`? Then nothing is filled in. */
export function isLiteralTemplate(template: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].every(([, name]) => name === OPENING);
}
