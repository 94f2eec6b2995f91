import type { CheckSpec } from '../core/loop.ts';

/** A finish rule and the journal refer to checks by name: if several share a name, all but the first get a number. */
export function withUniqueNames(checks: readonly CheckSpec[]): readonly CheckSpec[] {
  const taken = new Set<string>();
  return checks.map((check) => {
    let name = check.name;
    // The user may have typed a name with a number.
    for (let count = 2; taken.has(name); count += 1) name = `${check.name} (${count})`;
    taken.add(name);
    return { ...check, name };
  });
}
