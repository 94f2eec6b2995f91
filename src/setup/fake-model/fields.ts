/** Readers for requests of a client. A value of the wrong kind counts as missing: a fake model must not be picky. */

import type { Fields } from '../../hosts/fields.ts';
import { fieldsOf as fieldsOrNone, textIn as textOrNone } from '../../hosts/fields.ts';

export function fieldsOf(value: unknown): Fields {
  return fieldsOrNone(value) ?? {};
}

export function isFields(value: unknown): value is Fields {
  return fieldsOrNone(value) !== undefined;
}

export function listIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

export function textIn(fields: Fields, name: string): string {
  return textOrNone(fields, name) ?? '';
}

/** A body that is not a JSON object counts as an empty one. */
export function parseFields(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
