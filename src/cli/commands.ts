import type { Command } from './command.ts';

type Entry = { readonly summary: string; readonly load: () => Promise<Command> };

/** Each command is its own module, loaded when it is called, so that a quick `status` does not pay for `run`. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  run: { summary: 'drive an agent until the checks pass', load: async () => (await import('./commands/run.ts')).run },
  start: {
    summary: "arm a loop for an agent's session, or write the state file of one",
    load: async () => (await import('./commands/start.ts')).start,
  },
  status: {
    summary: 'open loops: their state and who drives them',
    load: async () => (await import('./commands/status.ts')).status,
  },
  list: { summary: 'all loops', load: async () => (await import('./commands/list.ts')).list },
  history: { summary: 'loops that have ended', load: async () => (await import('./commands/history.ts')).history },
  prune: {
    summary: 'remove loops that ended long ago',
    load: async () => (await import('./commands/prune.ts')).prune,
  },
  explain: {
    summary: 'why each decision was made, in sentences',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  logs: {
    summary: 'what the agent and the checks printed, per iteration',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  replay: {
    summary: 'recompute every decision from the journal and compare',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  verify: {
    summary: 'run the checks of a loop in the clean room: is this work proven?',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  report: {
    summary: 'what the clean room showed, also as an attestation',
    load: async () => (await import('./commands/report.ts')).report,
  },
  checks: {
    summary: 'what judges the work: checks, files, and whether they work in the clean room',
    load: async () => (await import('./commands/checks.ts')).checks,
  },
  pause: {
    summary: 'stop the agent; resume later',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  resume: {
    summary: 'continue a paused, halted or interrupted loop',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  wait: {
    summary: 'wait for checks that take longer than a stop may last',
    load: async () => (await import('./commands/wait.ts')).wait,
  },
  cancel: { summary: 'end a loop permanently', load: async () => (await import('./commands/cancel.ts')).cancel },
  steer: {
    summary: 'put a message into the next prompt',
    load: async () => (await import('./commands/steer.ts')).steer,
  },
  approve: {
    summary: 'approve what waits for your decision',
    load: async () => (await import('./commands/approve.ts')).approve,
  },
  reject: {
    summary: 'reject it and say what is missing',
    load: async () => (await import('./commands/reject.ts')).reject,
  },
  templates: {
    summary: "ready-made goals: built-in ones and the project's own",
    load: async () => (await import('./commands/templates.ts')).templates,
  },
  score: {
    summary: 'how well a goal suits a loop, and how to improve it',
    load: async () => (await import('./commands/score.ts')).score,
  },
  mcp: {
    summary: 'MCP server: tools for the agent of a loop',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  hook: {
    summary: "what an agent's stop hook calls",
    load: async () => (await import('./commands/hook.ts')).hook,
  },
  install: {
    summary: 'set up agents so that their stop hook calls tireless',
    load: async () => (await import('./commands/install.ts')).install,
  },
  uninstall: {
    summary: 'remove what install wrote, byte for byte',
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  doctor: {
    summary: 'prove that the hooks fire, and report what is in the way',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  import: {
    summary: 'take over a loop from another tool',
    load: async () => (await import('./commands/import.ts')).importLoop,
  },
  export: {
    summary: 'print a loop as the state file of another tool',
    load: async () => (await import('./commands/export.ts')).exportLoop,
  },
  completion: {
    summary: 'a completion script for your shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  allow: { summary: "let the project's own checks run", load: async () => (await import('./commands/allow.ts')).allow },
  deny: { summary: 'never let them run', load: async () => (await import('./commands/deny.ts')).deny },
  demo: {
    summary: 'a whole loop in a throwaway project; needs no account',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
};
