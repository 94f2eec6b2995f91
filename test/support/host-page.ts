import type { HostCapabilities } from '../../src/hosts/capabilities.ts';
import type { HostId } from '../../src/hosts/ids.ts';
import type { HostLaunch } from '../../src/hosts/launch.ts';

/** The page of a host, generated from the capabilities in its code. */
export function hostPage(id: HostId, can: HostCapabilities, launch: HostLaunch): string {
  const row =
    can.continuationsInRowMax === 'unlimited'
      ? 'as often as the loop allows'
      : `${can.continuationsInRowMax} times in a row${can.raiseContinuations === null ? ', then the loop is handed over' : `; raised by ${can.raiseContinuations}`}`;
  const rows: readonly (readonly [string, string])[] = [
    ['calls tireless at', can.stopHook],
    ['a stop can send the agent back', can.continuesAtStop ? row : 'no'],
    ['default time for a hook', `${can.hookTimeoutSeconds} s; after that the agent stops`],
    ['reports the last message of the agent', yes(can.reportsLastMessage, 'no; it is read from the transcript')],
    ['reports background work', yes(can.reportsBackgroundWork)],
    ['reports what a turn used', yes(can.reportsUsage, 'no; `--max-cost` and `--max-tokens` are refused')],
    [
      'reports failed turns',
      yes(
        can.reportsFailures,
        `no, nor usage limits: tireless notices at the next event of the session; \`tireless resume LOOP --agent ${id}\` continues outside`,
      ),
    ],
    ['shows messages to the user', yes(can.showsNotices)],
    ['can begin an iteration with a fresh context', yes(can.clearsContext)],
    [
      'can refuse a tool (`--iteration-timeout`, commands for people only)',
      yes(can.refusesTools, 'no; only the commands of tireless refuse the agent'),
    ],
    [
      'names its session to the programs that the agent runs',
      can.agentVariables === undefined
        ? 'no; commands for people are refused by the hook before a tool, and in loops of `tireless run`'
        : `yes, ${can.agentVariables.map((name) => `\`${name}\``).join(' and ')} (seen with version ${can.measured})`,
    ],
    [
      'handles state files of other tools (`install --dialect`)',
      yes(can.answersDialects, 'no; its hook is our plugin, for native loops only'),
    ],
    ['slash commands', can.commands ?? 'no'],
    ['has its own goal (`/goal`)', can.ownGoal ? 'yes; while one is active, a loop only watches' : 'no'],
    ['reads changed settings while it runs', yes(can.reloadsSettings)],
  ];
  return [
    `# ${can.title}`,
    '',
    `Measured with version ${can.measured}. Set it up with \`tireless install ${id}\`, check it with \`tireless doctor ${id}\`.`,
    '',
    '| ' + can.title + ' | |',
    '| --- | --- |',
    ...rows.map(([what, answer]) => `| ${what} | ${answer} |`),
    '',
    ...can.notes.map((note) => `- ${note}`),
    '',
    `Outside a session (\`tireless run --agent ${id}\`, and \`tireless resume\` for a loop that was handed over) it is started as`,
    `\`${launch.command}\`, which ${launch.leave}.`,
    '',
  ].join('\n');
}

function yes(can: boolean, no = 'no'): string {
  return can ? 'yes' : no;
}
