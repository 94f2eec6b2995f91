import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { demoSpec } from '../../runner/demo/demo-spec.ts';
import { prepareDemo } from '../../runner/demo/prepare-demo.ts';
import { systemClock } from '../../system/clock.ts';
import { newLoopId } from '../../system/ids.ts';
import { currentPlatform } from '../../system/paths.ts';
import { temporaryDirectory } from '../../system/project.ts';
import { thisMachine } from '../../system/worker-identity.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { demoCheat } from '../demo-cheat.ts';
import { driveAndReport } from '../drive-and-report.ts';
import { toggle } from '../flags.ts';
import { DRIVE_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import { json } from '../loop-flags.ts';
import { requireNoWords } from '../loop-argument.ts';
import { humanOutput } from '../open-display.ts';

const FLAGS = {
  cheat: toggle('with an agent that cheats in three ways before it does the work; nothing is kept'),
  json,
} as const;

export const demo: Command = command({
  page: {
    name: 'demo',
    synopsis: ['tireless demo [--cheat] [--json]'],
    about: [
      'Run a whole loop in a throw-away project: a small code base with failing tests, and a built-in agent that repairs one bug per turn and',
      'says "DONE" too early. No account, no network. Its loop is kept beside the project, not among yours.',
      'With --cheat the agent changes the tests, ends the process before they run, and blinds the assertions. Each time you see what gave it away.',
    ],
    flags: { Options: FLAGS },
    examples: ['tireless demo', 'tireless demo --cheat'],
    notes: DRIVE_EXIT_CODES,
  },
  flags: FLAGS,
  run: async ({ words, values }, world) => {
    requireNoWords(words, 'demo');
    if (values.cheat) {
      if (values.json === 'stream')
        throw new Fault('USAGE', 'Cannot use --json=stream with --cheat. Use --json, or leave out --cheat.');
      return demoCheat(values.json, world);
    }
    const folder = temporaryDirectory('demo');
    const project = path.join(folder, 'corner-shop');
    // A home of its own: a demo must not stand in anybody's history.
    const home = path.join(folder, 'home');
    prepareDemo(project);
    const out = humanOutput(world, values.json);
    say(
      out,
      'A corner shop with four bugs, and an agent that repairs one per turn.',
      'Watch for the turn in which it says DONE while a test still fails.',
      '',
    );
    const services = world.services.at(home);
    const control = await services.control();
    const loop = newLoopId(systemClock().read());
    const loaded = await control.start({
      loop,
      spec: demoSpec(process.execPath),
      session: null,
      cwd: project,
      machine: thisMachine(),
    });
    const flags = {
      json: values.json,
      'no-wait': true,
      'require-verified': currentPlatform().os !== 'win32',
      'allow-missing-check': false,
    };
    const code = await driveAndReport(loaded, flags, {
      ...world,
      services,
      calledAs: `TIRELESS_HOME=${home} tireless`,
    });
    say(
      out,
      '',
      `The project is in ${project}`,
      'Its loop is kept beside it, not among yours; the command above tells why each decision was made.',
      'With your own agent, in your own project:',
      '  tireless run "make the tests pass" --agent-command "my-agent" --check "npm test"',
    );
    return code;
  },
});
