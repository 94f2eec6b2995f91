import type { RoomBaseline } from './room.ts';

/** What judges the work in a project: shown to people, never used in a decision. */
export type JudgeReport = {
  readonly roles: readonly JudgeFiles[];
  /** Files that contain both product and judge, and which parts are the judge's. */
  readonly mixed: readonly { readonly path: string; readonly parts: readonly string[] }[];
  /** How many mixed files were left out. */
  readonly mixedMore: number;
};

export type JudgeFiles = {
  readonly role: 'test' | 'fixture' | 'snapshot' | 'config' | 'shadow' | 'script' | 'protected';
  readonly count: number;
  /** The first few. */
  readonly names: readonly string[];
};

/** `report` is absent if nothing was kept or the copy is gone. */
export type JudgedBaseline = { readonly baseline: RoomBaseline | undefined; readonly report?: JudgeReport };
