/** In the design, not in this version. Refused by name: an option that is ignored would be a promise that is broken. */
export const PLANNED_FLAGS: ReadonlyMap<string, string> = new Map([
  ['then', 'chained loops are still to come'],
  ['dialect', 'a loop in the state file of another tool is driven by "tireless hook"; "tireless import" moves it here'],
  ['session', 'only "tireless resume" takes it: loops that begin inside an agent session are still to come'],
  ['host', 'only "tireless resume" takes it: loops that begin inside an agent session are still to come'],
  ['fleet', 'the fleet is still to come'],
]);

export const PLANNED_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['start', 'loops inside an agent session are still to come; "tireless run" drives an agent from outside'],
  ['install', 'loops inside an agent session are still to come'],
  ['uninstall', 'loops inside an agent session are still to come'],
  ['doctor', 'it is still to come; "tireless status" shows the loops'],
  ['watch', 'it is still to come; "tireless run" shows live progress'],
  ['wait', 'it is still to come; "tireless status" shows the loops'],
  ['report', 'it is still to come; "tireless explain" tells why each decision fell'],
  ['approvals', 'it is still to come; "tireless status" shows what waits for you'],
  ['serve', 'the dashboard is still to come'],
  ['mcp', 'it is still to come'],
  ['worker', 'the fleet is still to come'],
  ['submit', 'the fleet is still to come'],
  ['fleet', 'the fleet is still to come'],
]);
