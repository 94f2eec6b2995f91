import { unifiedDiff } from '../../views/unified-diff.ts';
import { textOf } from './file-plan.ts';
import type { HostPlan } from './host-plan.ts';

/** One file of a plan, for programs. `diff`: empty = it stays as it is. */
export type PlannedFile = { readonly file: string; readonly action: string; readonly diff: string };

/** Every file that a plan writes or removes, with the exact change. Bytes that are not text were refused before. */
export function plannedFiles({ files, undone }: HostPlan): readonly PlannedFile[] {
  return [...files, ...undone].map(({ file, action, before, after }) => {
    const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : textOf(file, bytes));
    return { file, action, diff: unifiedDiff({ file, before: text(before), after: text(after) }) };
  });
}
