/** RFC 6901. `bad-pointer` = the text is not a pointer; `missing` = it points to nothing in this document. */
export type PointerResult =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'bad-pointer' };

export function pointInto(document: unknown, pointer: string): PointerResult {
  if (pointer !== '' && !pointer.startsWith('/')) return { kind: 'bad-pointer' };
  if (/~(?![01])/.test(pointer)) return { kind: 'bad-pointer' };
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    // In this order, as the RFC requires: `~01` is `~1`, not a slash.
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const inner = stepInto(value, key);
    if (inner === undefined) return { kind: 'missing' };
    value = inner.value;
  }
  return { kind: 'value', value };
}

function stepInto(value: unknown, key: string): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) {
    // `-` names the element after the last one, which never exists.
    return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < value.length
      ? { value: value[Number(key)] as unknown }
      : undefined;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return { value: Reflect.get(value, key) };
}

/** Compares two JSON values; the order of keys does not matter. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => isSameJson(each, b[index]))
    );
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key)))
  );
}
