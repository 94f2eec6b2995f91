const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

/**
 * Every `{{NAME}}` that has a value, in one pass: a value comes out as it went in, whatever placeholders or `$&` it holds.
 * A name without a value is left as it stands, so that a typo is seen.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value ?? placeholder;
  });
}
