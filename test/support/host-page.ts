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
    ['asks tireless at', can.stopHook],
    ['a stop can send the agent back', can.continuesAtStop ? row : 'no'],
    ['time for a hook, when nothing is set', `${can.hookTimeoutSeconds} s; after that the agent stops`],
    ['tells what the agent said last', yes(can.reportsLastMessage, 'no; it is read from the transcript')],
    ['tells of background work', yes(can.reportsBackgroundWork)],
    ['tells what a turn used', yes(can.reportsUsage, 'no; `--max-cost` and `--max-tokens` are refused')],
    [
      'tells of failed turns',
      yes(
        can.reportsFailures,
        `no, nor of a usage limit: the next event of the session tells; \`tireless resume LOOP --agent ${id}\` goes on outside`,
      ),
    ],
    ['has a place for words to the user', yes(can.tellsUser)],
    ['can begin an iteration with a fresh context', yes(can.clearsContext)],
    [
      'can refuse a tool (`--iteration-timeout`, commands that are for people)',
      yes(can.refusesTools, 'no; only the commands of tireless themselves refuse the agent'),
    ],
    [
      'names its session to what the agent runs',
      can.agentVariables === undefined
        ? 'no; the agent is refused before its tool runs, or in a loop of `tireless run`'
        : `yes, ${can.agentVariables.map((name) => `\`${name}\``).join(' and ')} (seen with version ${can.measured})`,
    ],
    [
      'answers for state files of other tools (`install --dialect`)',
      yes(can.answersDialects, 'no; its hook is a plugin of ours, for loops of tireless only'),
    ],
    ['slash commands', can.commands ?? 'no'],
    ['has a goal of its own (`/goal`)', can.ownGoal ? 'yes; beside an active one a loop only watches' : 'no'],
    ['reads changed settings while it runs', yes(can.reloadsSettings)],
  ];
  return [
    `# ${can.title}`,
    '',
    `Measured with version ${can.measured}. Set up with \`tireless install ${id}\`, looked over with \`tireless doctor ${id}\`.`,
    '',
    '| ' + can.title + ' | |',
    '| --- | --- |',
    ...rows.map(([what, answer]) => `| ${what} | ${answer} |`),
    '',
    ...can.notes.map((note) => `- ${note}`),
    '',
    `Outside of a session (\`tireless run --agent ${id}\`, and \`tireless resume\` of a loop that was handed over) it is started as`,
    `\`${launch.command}\`, which ${launch.leave}.`,
    '',
  ].join('\n');
}

function yes(can: boolean, no = 'no'): string {
  return can ? 'yes' : no;
}
