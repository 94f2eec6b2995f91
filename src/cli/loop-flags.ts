import { HOST_IDS } from '../hosts/ids.ts';
import type { Limit } from '../core/loop.ts';
import { LOOP_TEMPLATES } from '../core/loop-templates.ts';
import type { Flag, Values } from './flags.ts';
import { text, texts, toggle, value } from './flags.ts';
import {
  parseDollarsLimit,
  parseDuration,
  parseDurationLimit,
  parseDurationOrNone,
  parseIterations,
  parseCount,
  parseTokens,
} from './flag-values.ts';

type Text = Flag<string | undefined>;
type Texts = Flag<readonly string[]>;
type Toggle = Flag<boolean>;
type Milliseconds = Flag<number | undefined>;
type Limited = Flag<Limit | undefined>;

type LimitTable = {
  readonly 'max-iterations': Limited;
  readonly 'max-duration': Limited;
  readonly 'max-cost': Limited;
  readonly 'max-tokens': Limited;
  readonly 'max-faults': Limited;
  readonly 'max-no-progress': Limited;
};

type CheckTable = {
  readonly check: Texts;
  readonly holdout: Texts;
  readonly 'check-exists': Texts;
  readonly 'check-matches': Texts;
  readonly 'check-json': Texts;
  readonly 'check-git-clean': Toggle;
  readonly 'check-report': Texts;
  readonly 'check-timeout': Milliseconds;
  readonly 'checks-in-order': Toggle;
  readonly 'allow-missing-check': Toggle;
  readonly 'no-repository-checks': Toggle;
};

type FinishTable = {
  readonly claim: Texts;
  readonly criterion: Texts;
  readonly tracker: Text;
  readonly protect: Texts;
  readonly free: Texts;
  readonly 'room-keep': Texts;
  readonly 'room-setup': Text;
  readonly 'no-room': Toggle;
  readonly 'watch-file': Text;
  readonly 'done-folder': Text;
  readonly 'approve-finish': Toggle;
  readonly 'require-verified': Toggle;
};

type AgentTable = {
  readonly agent: Text;
  readonly 'agent-command': Text;
  readonly 'agent-args': Texts;
  readonly 'iteration-timeout': Milliseconds;
  readonly 'idle-timeout': Milliseconds;
  readonly 'pause-between': Milliseconds;
  readonly cwd: Text;
  readonly 'goal-file': Text;
  readonly 'from-todos': Text;
  readonly template: Text;
  readonly sandbox: Toggle;
  readonly 'no-contain': Toggle;
};

type OutputTable = {
  readonly json: Flag<'no' | 'end' | 'stream'>;
  readonly quiet: Toggle;
  readonly verbose: Toggle;
  readonly 'no-wait': Toggle;
};

type DryRunTable = { readonly 'dry-run': Toggle };

export type LimitFlags = Values<LimitTable>;
export type RunFlags = Values<LimitTable & CheckTable & FinishTable & AgentTable & OutputTable & DryRunTable>;

/** The limits: `run` sets them, `resume` raises them. */
export const LIMIT_FLAGS: LimitTable = {
  'max-iterations': value('N', 'at most N iterations, 1 to 10000 or "unlimited" (default 20)', parseIterations),
  'max-duration': value('D', 'at most this much running time, or "unlimited" (default 4h)', parseDurationLimit),
  'max-cost': value(
    'USD',
    'at most this many US dollars, as the agent reports them (default unlimited)',
    parseDollarsLimit,
  ),
  'max-tokens': value('N', 'at most N tokens, as the agent reports them (default unlimited)', parseTokens),
  'max-faults': value('N', 'at most N failures of the agent in a row (default 3)', parseCount),
  'max-no-progress': value('N', 'at most N iterations without progress (default 3)', parseCount),
};

export const CHECK_FLAGS: CheckTable = {
  check: texts('CMD', 'a command that must exit 0; repeatable; "unit:: npm test" names it'),
  holdout: texts('CMD', 'like --check, but tireless never shows it to the agent; run only when everything else passes'),
  'check-exists': texts('PATH', 'a file or directory that must exist'),
  'check-matches': texts('PATH::REGEX', 'a file whose text must match'),
  'check-json': texts('FILE#/POINTER=JSON', 'a value in a JSON file, such as package.json#/version="2.0.0"'),
  'check-git-clean': toggle('the git work tree must be clean'),
  'check-report': texts('FILE', 'count tests in this report of a --check; "unit:: build/*.xml" names the check'),
  'check-timeout': value('D', 'how long one check may take (default 10m)', parseDuration),
  'checks-in-order': toggle('run the checks one after another instead of in parallel'),
  'allow-missing-check': toggle('start even when a check cannot be run yet'),
  'no-repository-checks': toggle('leave out the checks of .tireless/config.json'),
};

export const FINISH_FLAGS: FinishTable = {
  claim: texts(
    'TEXT',
    'the agent must also claim <promise>TEXT</promise>; repeatable, any one counts',
    'completion-promise',
  ),
  criterion: texts('TEXT', 'a line of the tracker that the agent must tick; repeatable'),
  tracker: text('FILE', "the agent's notes (default .tireless/tracker-LOOP.md when there are criteria)"),
  protect: texts('GLOB', 'more files that judge the work: they count as they were at the start; repeatable'),
  free: texts('GLOB', 'files that do not judge the work, such as snapshots to update; repeatable'),
  'room-keep': texts('PATH', 'an ignored file or folder that the checks need in the clean room; repeatable'),
  'room-setup': text('CMD', 'run this in the clean room before the checks, such as "npm ci"'),
  'no-room': toggle('do not run the checks in a clean room; the finish is then verified in the work tree only'),
  'watch-file': text('FILE', 'the loop finishes only after this file was moved …'),
  'done-folder': text('DIR', '… into this folder; give both or neither'),
  'approve-finish': toggle('the finish waits for "tireless approve"'),
  'require-verified': toggle('exit 7 instead of 0 when the completion is not proven in the clean room'),
};

export const AGENT_FLAGS: AgentTable = {
  agent: { ...text('NAME', `an agent that tireless knows: ${HOST_IDS.join(', ')}`), choices: HOST_IDS },
  'agent-command': text('CMD', 'any other agent: a command that reads its prompt on stdin'),
  'agent-args': {
    ...texts('ARGS', 'more arguments for claude-code or codex, split as a shell does; repeatable'),
    dashed: true,
  },
  'iteration-timeout': value('D', 'how long one iteration may take (default 30m)', parseDuration),
  'idle-timeout': value('D', 'how long the agent may be silent (default 10m)', parseDuration),
  'pause-between': value('D', 'wait between iterations (default 0)', parseDurationOrNone),
  cwd: text('DIR', 'the project (default: the current directory)'),
  'goal-file': text('FILE', 'read the goal from a file'),
  'from-todos': text('FILE', 'use the open TODOs of a JSON list or Markdown checklist as goal and criteria'),
  template: {
    ...text('NAME', 'put the goal into this template; "tireless templates" lists them'),
    choices: LOOP_TEMPLATES.map(({ name }) => name),
  },
  sandbox: toggle("protect loops, hold-outs and judge's files from the agent; needs bwrap"),
  'no-contain': toggle('do not contain the processes of agent and checks in a namespace (Linux)'),
};

export const json: Flag<'no' | 'end' | 'stream'> = {
  help: 'print one JSON object at the end; --json=stream prints one line per event before it',
  placeholder: null,
  inline: ['stream'],
  many: false,
  dashed: false,
  aliases: [],
  absent: 'no',
  add: (_, given) => (given === 'stream' ? 'stream' : 'end'),
};

export const OUTPUT_FLAGS: OutputTable = {
  json,
  quiet: toggle('print only how it ended; errors still go to stderr'),
  verbose: toggle('print what the agent says and does, and each check as it begins'),
  'no-wait': toggle('exit 4 instead of waiting when the agent reaches its usage limit'),
};

export const DRY_RUN_FLAG: DryRunTable = {
  'dry-run': toggle('show the first prompt, the checks, and where each limit comes from; start nothing'),
};

export const RUN_FLAGS: LimitTable & CheckTable & FinishTable & AgentTable & OutputTable & DryRunTable = {
  ...CHECK_FLAGS,
  ...FINISH_FLAGS,
  ...LIMIT_FLAGS,
  ...AGENT_FLAGS,
  ...OUTPUT_FLAGS,
  ...DRY_RUN_FLAG,
};

export const JSON_FLAG: { readonly json: Toggle } = { json: toggle('print {"loops":[…]} for scripts') };
