import type { CheckSpec } from '../core/loop.ts';

/** A finish rule and the journal speak of checks by name: of those that share one, all but the first get a number. */
export function withUniqueNames(checks: readonly CheckSpec[]): readonly CheckSpec[] {
  const taken = new Set<string>();
  return checks.map((check) => {
    let name = check.name;
    // A name with a number may have been typed like that.
    for (let count = 2; taken.has(name); count += 1) name = `${check.name} (${count})`;
    taken.add(name);
    return { ...check, name };
  });
}
