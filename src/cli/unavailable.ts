/** Planned, but not in this version. Refused by name: ignoring an option would break a promise. */
export const UNAVAILABLE_FLAGS: ReadonlyMap<string, string> = new Map([
  ['then', 'chained loops are not available yet'],
  [
    'dialect',
    '"tireless start" writes the state file of another tool and "tireless hook" drives it; "tireless import" moves it here',
  ],
  ['session', 'only "tireless start" and "tireless resume" take it'],
  ['host', 'only "tireless start" and "tireless resume" take it'],
  ['fleet', 'the fleet is not available yet'],
]);

export const UNAVAILABLE_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['watch', 'it is not available yet; "tireless run" shows live progress'],
  ['approvals', 'it is not available yet; "tireless status" shows what waits for you'],
  ['serve', 'the dashboard is not available yet'],
  ['dashboard', 'it is not available yet'],
  ['worker', 'the fleet is not available yet'],
  ['submit', 'the fleet is not available yet'],
  ['fleet', 'the fleet is not available yet'],
]);
