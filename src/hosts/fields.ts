import { isRecord } from '../core/is-record.ts';

/** Readers for one field of a foreign payload. A value of another kind counts as absent. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(payload: unknown): Fields | undefined {
  return isRecord(payload) ? payload : undefined;
}

export function textIn(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Empty counts as absent: an id or a path without a letter names nothing. */
export function nameIn(fields: Fields, name: string): string | undefined {
  const value = textIn(fields, name);
  return value === undefined || value.trim() === '' ? undefined : value;
}

export function isTrueIn(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields, name) && fields[name] === true;
}

/** 0 if there is none. */
export function numberIn(fields: Fields, name: string): number {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Empty if there is no list. */
export function itemsIn(fields: Fields, name: string): readonly unknown[] {
  const value: unknown = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? value : [];
}
