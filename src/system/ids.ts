import { createHash, randomBytes } from 'node:crypto';
import type { ClockReading } from '../core/evidence.ts';
import type { LoopId } from '../core/loop.ts';

/** No i, l, o, u: nothing to mix up when read aloud, and no accidental words. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LOOP_ID_RANDOM_LENGTH = 6;
const ID_LENGTH = 20;

/** The longest name `pathPart` returns is PREFIX + 2 + 64; some encrypted file systems allow 143. */
const PATH_PART_PLAIN_MAX = 100;
const PATH_PART_PREFIX = 48;
const WINDOWS_RESERVED_MAX = 7;
const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|clock|conin|conout|com[0-9]|lpt[0-9])$/u;

/**
 * `261115-1954-k3x9q2`: the minute of the start in UTC, then 30 random bits. The store creates loops exclusively, so a
 * duplicate is refused, not merged.
 */
export function newLoopId(now: ClockReading): LoopId {
  const digits = new Date(now.wallMs).toISOString().replaceAll(/\D/gu, '');
  return `${digits.slice(2, 8)}-${digits.slice(8, 12)}-${randomText(LOOP_ID_RANDOM_LENGTH)}`;
}

/** 100 random bits, lower-case; for workers and spawned processes. */
export function newId(): string {
  return randomText(ID_LENGTH);
}

/** Version 4: what hosts accept as a session id. */
export function newUuid(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Any string as one safe, bounded file name; different strings give different names, even on file systems that fold
 * case or Unicode. Ids from hosts pass through here before they touch a path. Lower-case letters, digits, `-` and `_` stay;
 * every other UTF-16 unit becomes `=hh` or `=uhhhh`. A long name keeps its start for people and is made unique by its
 * hash after `=h`.
 */
export function pathPart(idFromOutside: string): string {
  if (idFromOutside === '') return '=';
  if (isPlainName(idFromOutside)) return idFromOutside;
  const escaped = escapeUnits(idFromOutside);
  if (escaped.length <= PATH_PART_PLAIN_MAX) return escaped;
  // Hashed by UTF-16 unit: in UTF-8 all lone surrogates would be the same character.
  return `${escaped.slice(0, PATH_PART_PREFIX)}=h${sha256(Buffer.from(idFromOutside, 'utf16le'))}`;
}

function escapeUnits(text: string): string {
  const reserved = WINDOWS_RESERVED.test(text);
  let escaped = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isPlain = isPlainUnit(unit);
    // A leading dash would look like an option to a shell tool; escaping the first letter defuses a reserved name.
    const needsEscape = !isPlain || (index === 0 && (unit === 0x2d || reserved));
    escaped += needsEscape ? escapeUnit(unit) : text.charAt(index);
    if (escaped.length > PATH_PART_PLAIN_MAX) break;
  }
  return escaped;
}

/** Covers nearly all names. */
function isPlainName(text: string): boolean {
  if (text.length > PATH_PART_PLAIN_MAX || text.length <= WINDOWS_RESERVED_MAX || text.startsWith('-')) return false;
  for (let index = 0; index < text.length; index += 1) if (!isPlainUnit(text.charCodeAt(index))) return false;
  return true;
}

/** `[a-z0-9_-]`, without compiling a regular expression: every stop of an agent runs this. */
function isPlainUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f || unit === 0x2d;
}

function escapeUnit(unit: number): string {
  return unit < 0x100 ? `=${unit.toString(16).padStart(2, '0')}` : `=u${unit.toString(16).padStart(4, '0')}`;
}

function randomText(length: number): string {
  let text = '';
  // 256 is a multiple of 32: the low five bits are uniform.
  for (const byte of randomBytes(length)) text += ALPHABET.charAt(byte & 31);
  return text;
}
