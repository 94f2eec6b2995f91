/** The pure heart: what a loop is, and how its fate is decided. No I/O, no clock, no dependency. */
export * from './advance.ts';
export * from './claim.ts';
export * from './decide.ts';
export type * from './decision.ts';
export type * from './event.ts';
export * from './evidence.ts';
export * from './fault.ts';
export * from './finish-rule.ts';
export * from './guards.ts';
export * from './journal.ts';
export * from './loop.ts';
export * from './progress.ts';
export * from './prompt.ts';
export * from './running-time.ts';
export * from './sketch.ts';
export * from './template.ts';
