import type { HostId } from '../../hosts/ids.ts';
import { HOST_IDS } from '../../hosts/ids.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { examineHost } from '../../setup/doctor/examine-host.ts';
import type { Finding } from '../../setup/doctor/finding.ts';
import { findingLines, hasProblem, summaryLine } from '../../setup/doctor/finding.ts';
import { containmentFindings } from '../../setup/doctor/containment.ts';
import { homeFindings, leftoverFindings } from '../../setup/doctor/home.ts';
import {
  brokenFileFindings,
  otherLoopFindings,
  silentLoopFindings,
  waitingFileFindings,
} from '../../setup/doctor/other-loops.ts';
import { EXIT } from '../exit-codes.ts';
import { toggle } from '../flags.ts';
import { say, sayJson } from '../io.ts';
import { projectDirectory } from '../../system/project.ts';
import type { World } from '../services.ts';
import { onInterrupt } from '../../system/signals.ts';
import { detectHosts, parseHosts } from '../../setup/settings/choose-hosts.ts';

const FLAGS = {
  'no-start': toggle('only inspect; start no agent'),
  json: toggle('one JSON object'),
} as const;

export const doctor: Command = command({
  page: {
    name: 'doctor',
    synopsis: ['tireless doctor [HOST]… [--no-start] [--json]'],
    about: [
      'Check whether loops will work in your agents, and what is in the way. Without HOST: every agent found on this machine.',
      'Each is examined (version, hooks, the files they start, trust, caps, time limits, other loops) and then started once, without a screen',
      'and without a network, against a built-in fake model: it counts as working only when its stop reaches tireless. None of your keys is',
      'used, no setting is changed, and everything is removed afterwards.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless doctor', 'tireless doctor claude-code codex', 'tireless doctor --no-start --json'],
    notes: [
      `HOST is one of ${HOST_IDS.join(', ')}.`,
      'Exit codes: 0 no problems · 1 problems found · 2 wrong usage · 130 Ctrl-C',
    ],
  },
  flags: FLAGS,
  run: async ({ words, values: flags }, world) => {
    // An unknown host is refused before anything is examined.
    const named = parseHosts(words);
    const { findings, add } = openReport(world, flags.json);
    add([...homeFindings(world), ...containmentFindings(), ...(await leftoverFindings(world))]);
    const hosts = named.length === 0 ? detectHosts(world, 'doctor') : named;
    const project = projectDirectory(undefined, world.cwd);
    for (const host of hosts) {
      const seen = await examineHost(host, project, world, add);
      const proof = flags['no-start'] ? [] : await proofOf(host, seen, { project, world, isJson: flags.json });
      if (proof === 'interrupted') return EXIT.interrupted;
      add(proof);
    }
    add(await otherLoopFindings(hosts, project, world));
    add(await brokenFileFindings(project, world));
    add(await waitingFileFindings(project, world));
    add(await silentLoopFindings(project, world));
    if (flags.json) sayJson(world.stdout, { ok: !hasProblem(findings), findings });
    else say(world.stdout, '', summaryLine(findings));
    return hasProblem(findings) ? EXIT.fault : EXIT.ok;
  },
});

type Report = {
  readonly findings: readonly Finding[];
  readonly add: (found: readonly Finding[]) => void;
};

/** People see each finding immediately, because starting an agent takes seconds. JSON is one value, at the end. */
function openReport({ stdout }: World, isJson: boolean): Report {
  const findings: Finding[] = [];
  return {
    findings,
    add: (found) => {
      const lines = findingLines(found, findings.at(-1));
      findings.push(...found);
      if (!isJson) say(stdout, ...lines);
    },
  };
}

/** Shown while an agent starts, which takes seconds; the finding replaces it. */
const STARTING = '  …        fires      starting it once, without a network';
const LINE_CLEARED = '\r\u001B[2K';

/**
 * The fake model is loaded only if a host is started. The first Ctrl-C ends the agent and removes everything made for it; the second ends
 * this process at once.
 */
async function proofOf(
  host: HostId,
  seen: readonly Finding[],
  { project, world, isJson }: { readonly project: string; readonly world: World; readonly isJson: boolean },
): Promise<readonly Finding[] | 'interrupted'> {
  const { proveHooks } = await import('../../setup/doctor/prove-hooks.ts');
  const stopping = new AbortController();
  const leave = onInterrupt(() => {
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort();
  });
  const isWatched = world.stdout.isTTY && !isJson && world.env['TERM'] !== 'dumb';
  if (isWatched) world.stdout.write(STARTING);
  try {
    const proof = await proveHooks(host, seen, { project, world, signal: stopping.signal });
    return stopping.signal.aborted ? 'interrupted' : proof;
  } finally {
    if (isWatched) world.stdout.write(LINE_CLEARED);
    leave();
  }
}
