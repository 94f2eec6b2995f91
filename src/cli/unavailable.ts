/** Planned, but not in this version. Refused by name: ignoring an option would break a promise. */
export const UNAVAILABLE_FLAGS: ReadonlyMap<string, string> = new Map([
  ['then', 'chained loops are still to come'],
  [
    'dialect',
    '"tireless start" writes the state file of another tool and "tireless hook" drives it; "tireless import" moves it here',
  ],
  ['session', 'only "tireless start" and "tireless resume" take it'],
  ['host', 'only "tireless start" and "tireless resume" take it'],
  ['fleet', 'the fleet is still to come'],
]);

export const UNAVAILABLE_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['watch', 'it is still to come; "tireless run" shows live progress'],
  ['approvals', 'it is still to come; "tireless status" shows what waits for you'],
  ['serve', 'the dashboard is still to come'],
  ['worker', 'the fleet is still to come'],
  ['submit', 'the fleet is still to come'],
  ['fleet', 'the fleet is still to come'],
]);
