import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, newLoopId, pathPart, sha256 } from './ids.ts';

const anyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'A', '=', '.', '/', '4', '1', 'u', 'h', '-'), maxLength: 12 }),
  fc.constantFrom('', '.', '..', 'con', 'CON', 'nul', 'com1', 'aux.txt', '/', '\\', '\0', '-rf', 'a'.repeat(5000)),
);

describe('pathPart', () => {
  it('gives different names to different strings, also where case is folded', () => {
    fc.assert(
      fc.property(anyString, anyString, (a, b) => {
        fc.pre(a !== b);
        expect(pathPart(a).toLowerCase()).not.toBe(pathPart(b).toLowerCase());
      }),
      { numRuns: 2000 },
    );
  });

  it('can be undone for short strings, so no two of them can meet', () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const part = pathPart(text);
        fc.pre(!part.includes('=h'));
        expect(unescape(part)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives names that every file system takes', () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const part = pathPart(text);
        expect(part).toMatch(/^[a-z0-9_=][a-z0-9_=-]{0,127}$/u);
        expect(part).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves the usual session ids as they are', () => {
    expect(pathPart('0199c0de-7e57-7abc-8def-0123456789ab')).toBe('0199c0de-7e57-7abc-8def-0123456789ab');
    expect(pathPart('../etc')).toBe('=2e=2e=2fetc');
    expect(pathPart('Ж')).toBe('=u0416');
  });

  it('tells long strings apart that differ only at their end', () => {
    const long = 'x'.repeat(1000);
    expect(pathPart(`${long}a`)).not.toBe(pathPart(`${long}b`));
    expect(pathPart(`${long}\ud800`)).not.toBe(pathPart(`${long}\ud801`));
    // The name of a long string, used as an id itself, must not give the same name.
    expect(pathPart(pathPart(long))).not.toBe(pathPart(long));
  });
});

describe('newLoopId', () => {
  it('shows the minute of the start and sorts by it', () => {
    const at = (iso: string): string => newLoopId({ wallMs: Date.parse(iso), monotonicMs: 0, boot: '' });
    expect(at('2026-11-15T19:54:59Z')).toMatch(/^261115-1954-[0-9a-z]{6}$/u);
    expect(at('2026-11-15T19:54:59Z') < at('2026-11-15T19:55:00Z')).toBe(true);
    expect(pathPart(at('2026-11-15T19:54:59Z'))).toMatch(/^261115-1954-/u);
  });
});

describe('newId', () => {
  it('is new every time', () => {
    expect(new Set(Array.from({ length: 1000 }, newId)).size).toBe(1000);
    expect(newId()).toMatch(/^[0-9a-z]{20}$/u);
  });
});

describe('sha256', () => {
  it('is the same for a text and its bytes', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256(new TextEncoder().encode('grün'))).toBe(sha256('grün'));
  });
});

function unescape(part: string): string {
  if (part === '=') return '';
  return part.replaceAll(
    /=(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gu,
    (_, long: string | undefined, short: string | undefined) =>
      String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
  );
}
