/** The text of a line that was read with one character per byte. Nearly all lines are plain ASCII. */
export function utf8Line(latin1: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
}
