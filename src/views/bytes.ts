const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `12 bytes` `3.4 kB` `120 MB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
