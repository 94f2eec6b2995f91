import { buildSpec } from '../../engine/spec/build-spec.ts';
import { chooseAgent, requireReportedLimits } from '../../engine/spec/choose-agent.ts';
import { agentWithDefaults, requiresVerified } from '../../engine/spec/config-defaults.ts';
import { newLoopId } from '../../system/ids.ts';
import { systemClock } from '../../system/clock.ts';
import { requireWalls } from '../../system/contain.ts';
import { thisMachine } from '../../system/worker-identity.ts';
import { readGoal } from '../read-goal.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { driveAndReport } from '../drive-and-report.ts';
import { DRIVE_EXIT_CODES } from '../help-page.ts';
import { say } from '../io.ts';
import {
  AGENT_FLAGS,
  CHECK_FLAGS,
  DRY_RUN_FLAG,
  FINISH_FLAGS,
  LIMIT_FLAGS,
  OUTPUT_FLAGS,
  RUN_FLAGS,
} from '../loop-flags.ts';
import { checkOfferOf } from '../check-offer.ts';
import { detailOf } from '../open-display.ts';
import { requireAgentProgram } from '../../setup/agent-program.ts';
import { projectDirectory } from '../../system/project.ts';
import { readConfigs } from '../read-configs.ts';
import { agentOptions, specOptions, TYPED_FLAGS, typedLimits } from '../spec-options.ts';

/** Everything that can be refused is refused before the loop exists. From then on the loop is durable, and is driven. */
export const run: Command = command({
  page: {
    name: 'run',
    synopsis: ['tireless run [GOAL] (--agent NAME | --agent-command CMD) [--check CMD]… [options]'],
    about: [
      'Drive an agent until the work is proven done: a fresh agent for each iteration, the checks after it, and a next prompt that says what is',
      'still wrong. Give the goal as words, with --goal-file, or on stdin; put a goal that begins with a dash after "--". --template wraps it in a ready-made text.',
      'With --from-todos the open TODOs of a file are added to the goal, and each becomes a criterion.',
      "Without checks, only the agent's claim can complete the loop. The result is then unverified, unless you approve it (--approve-finish).",
    ],
    flags: {
      'What proves it (paths are relative to the project)': CHECK_FLAGS,
      'How it finishes': FINISH_FLAGS,
      'How long it may run': LIMIT_FLAGS,
      'The agent': AGENT_FLAGS,
      Output: { ...DRY_RUN_FLAG, ...OUTPUT_FLAGS },
    },
    examples: [
      'tireless run "make the tests pass" --agent claude-code --check "npm test" --max-iterations 15',
      'tireless run --goal-file GOAL.md --agent-command "my-agent -p" --check "unit:: npm test" --holdout "npm run e2e" --protect "test/**"',
      'tireless run --agent-command "my-agent" --check "make check" --json < GOAL.md',
    ],
    notes: [
      'D is a duration with its unit: 500ms, 90s, 30m, 4h, 1h30m. A number without a unit is refused.',
      'The agent gets its prompt on stdin; its stdout is its message. In its environment: TIRELESS_LOOP, TIRELESS_ITERATION, TIRELESS_DIR, and',
      'TIRELESS_USAGE, a file into which it may write {"costUsd":1.25,"tokens":120000} (needed for --max-cost and --max-tokens).',
      'Checks in .tireless/config.json are added once you allow them with "tireless allow". It and ~/.config/tireless/config.json can',
      'set defaults: the agent, limits, checks, the finish. What you type overrides the project, and the project overrides the user.',
      '',
      ...DRIVE_EXIT_CODES,
    ],
  },
  flags: RUN_FLAGS,
  isForPeople: true,
  run: async ({ words, values: flags, args }, world) => {
    detailOf(flags);
    const typed = agentOptions(flags);
    if (typed.name !== undefined || typed.command !== undefined)
      requireReportedLimits(chooseAgent(typed, TYPED_FLAGS), typedLimits(flags), TYPED_FLAGS);
    const project = projectDirectory(flags.cwd, world.cwd);
    const { goal, template, criteria } = await readGoal(words, flags, project, world);
    const configs = await readConfigs(project, { withProject: !flags['no-repository-checks'] }, world);
    requireAgentProgram(chooseAgent(agentWithDefaults(typed, configs), TYPED_FLAGS), project, TYPED_FLAGS);
    const loop = newLoopId(systemClock().read());
    const options = specOptions({ ...flags, criterion: criteria });
    const spec = buildSpec({ loop, goal, options, configs, template }, TYPED_FLAGS);
    // Wrong usage is reported first, because installing bwrap would not fix that.
    if (flags.sandbox) requireWalls();
    const request = { loop, spec, session: null, cwd: project, machine: thisMachine() };
    if (flags['dry-run']) {
      const { printDryRun } = await import('../dry-run.ts');
      const hasTemplateLimit = typeof template?.iterationsMax === 'number';
      return printDryRun({ request, options, configs, hasTemplateLimit }, flags.json !== 'no', world);
    }
    const outer = world.env['TIRELESS_LOOP'];
    if (outer !== undefined && outer !== '')
      say(
        world.stderr,
        `tireless: this runs inside the agent of loop ${outer}; the new loop ${loop} is separate, with its own limits.`,
      );
    const control = await world.services.control();
    const loaded = await control.start(request);
    const offered = await checkOfferOf(loaded, 'run', args);
    if (offered !== null && !flags.quiet) say(world.stderr, `tireless: ${offered}`);
    const requireVerified = flags['require-verified'] || requiresVerified(configs);
    return driveAndReport(loaded, { ...flags, 'require-verified': requireVerified }, world);
  },
});
