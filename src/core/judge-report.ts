import type { RoomBaseline } from './room.ts';

/** What judges the work in a project: for people, never for a decision. */
export type JudgeReport = {
  readonly roles: readonly JudgeFiles[];
  /** Files that product and judge share, and which parts are the judge's. */
  readonly mixed: readonly { readonly path: string; readonly parts: readonly string[] }[];
  /** How many of them are not listed. */
  readonly mixedMore: number;
};

export type JudgeFiles = {
  readonly role: 'test' | 'fixture' | 'snapshot' | 'config' | 'shadow' | 'script' | 'protected';
  readonly count: number;
  /** The first of them. */
  readonly names: readonly string[];
};

/** `report` is absent where nothing was kept, or it is gone. */
export type Judged = { readonly baseline: RoomBaseline | undefined; readonly report?: JudgeReport };
