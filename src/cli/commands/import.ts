import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { readTextIfExists } from '../../system/files.ts';
import { newLoopId } from '../../system/ids.ts';
import { systemClock } from '../../system/clock.ts';
import { thisMachine } from '../../system/worker-identity.ts';
import { ensureTracker } from '../../setup/tracker-file.ts';
import { specOfImported, startImported } from '../../engine/import-loop.ts';
import { buildSpec } from '../../engine/spec/build-spec.ts';
import { chooseAgent } from '../../engine/spec/choose-agent.ts';
import type { Command } from '../command.ts';
import { command } from '../command.ts';
import { text } from '../flags.ts';
import { PLAIN_EXIT_CODES } from '../help-page.ts';
import { readImported } from '../read-imported.ts';
import { say } from '../io.ts';
import { AGENT_FLAGS, CHECK_FLAGS, FINISH_FLAGS, LIMIT_FLAGS } from '../loop-flags.ts';
import { FORMATS } from '../parse-dialect.ts';
import { requireAgentProgram } from '../../setup/agent-program.ts';
import { projectDirectory } from '../../system/project.ts';
import { specOptions, TYPED_FLAGS } from '../spec-options.ts';

const { 'goal-file': _goal, 'from-todos': _todos, template: _template, ...AGENT } = AGENT_FLAGS;
const FILE_FLAGS = {
  dialect: text('NAME', `the tool it belongs to: ${FORMATS.join(', ')} (default: recognized by its name or content)`),
} as const;
const MORE_FLAGS = { ...CHECK_FLAGS, protect: FINISH_FLAGS.protect, tracker: FINISH_FLAGS.tracker } as const;
const FLAGS = { ...FILE_FLAGS, ...AGENT, ...MORE_FLAGS, ...LIMIT_FLAGS } as const;

export const importLoop: Command = command({
  page: {
    name: 'import',
    synopsis: ['tireless import FILE --agent-command CMD [--dialect NAME] [options]'],
    about: [
      'Take over a loop from another tool: its goal, claim, criteria, maximum and counter become a loop that tireless drives from outside,',
      'paused until you resume it. The file is read and not changed. Add checks, so that a claim is no longer enough.',
    ],
    flags: {
      Options: FILE_FLAGS,
      'The agent': AGENT,
      'What else is required': MORE_FLAGS,
      'Other limits': LIMIT_FLAGS,
    },
    examples: [
      'tireless import .claude/ralph-loop.local.md --agent-command "my-agent" --check "npm test"',
      'tireless import scripts/ralph/prd.json --agent-command "my-agent"',
    ],
    notes: PLAIN_EXIT_CODES,
  },
  flags: FLAGS,
  isForPeople: true,
  run: async ({ words, values: flags }, world) => {
    const file = oneFile(words);
    const options = specOptions(flags);
    const agent = chooseAgent(options.agent ?? {}, TYPED_FLAGS);
    const project = projectDirectory(flags.cwd, world.cwd);
    requireAgentProgram(agent, project, TYPED_FLAGS);
    const content = readTextIfExists(path.resolve(world.cwd, file));
    if (content === undefined)
      throw new Fault('USAGE', `Cannot import ${file}: there is no such file. Correct the path.`);
    const imported = await readImported({ file, text: content, dialect: flags.dialect }, world);
    const loop = newLoopId(systemClock().read());
    const criteria = imported.criteria.map((criterion) => criterion.text);
    const typed = buildSpec({ loop, goal: imported.goal, options: { ...options, criteria } }, TYPED_FLAGS);
    const spec = specOfImported(imported, typed, { limits: options.limits ?? {}, timing: options.timing ?? {} });
    const request = { loop, spec, cwd: project, machine: thisMachine() };
    await startImported(request, imported.counted, await world.services.control());
    ensureTracker(spec, project, imported.criteriaMet);
    say(
      world.stdout,
      `imported ${file} (${imported.dialect}) as loop ${loop}: ${imported.counted} of ${spec.limits.iterationsMax} iterations used`,
      `continue: tireless resume ${loop}`,
      ...(imported.active ? [`The file was not changed. Switch it off there, or the other tool continues too.`] : []),
    );
    return 0;
  },
});

function oneFile(words: readonly string[]): string {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0)
    throw new Fault('USAGE', 'Expected one file: tireless import FILE --agent-command CMD.');
  return file;
}
