import { Fault } from '../../core/fault.ts';
import type { CheckSpec, Spec } from '../../core/loop.ts';
import { DEFAULT_CHECK_TIMEOUT_MS } from '../../core/loop.ts';
import { oneLine } from '../../views/printable.ts';
import { withUniqueNames } from '../unique-check-names.ts';
import type { CheckOptions, OptionName, OptionSource, RoomOptions } from './options.ts';

const NAME_CHARS_MAX = 60;
/** Two colons and white space, so that `npm run test:unit` and `std::vector` are still read as commands. */
const NAMED = /^([\w-]+)::(?:\s+|$)/;

/** The requested checks, each under its own name: commands first, hold-outs last. Throws `USAGE`. */
export function buildChecks(options: CheckOptions, source: OptionSource): readonly CheckSpec[] {
  const { commands = [], holdouts = [], probes = [], reports = [] } = options;
  const timeoutMs = options.timeoutMs ?? DEFAULT_CHECK_TIMEOUT_MS;
  const checks = [
    ...commands.map((given) => ({ ...commandCheck(given, 'checks', source), timeoutMs, holdout: false })),
    ...probes.map(({ name, probe }) => ({ name, probe, timeoutMs, holdout: false })),
    // The name is shown to the agent ("a hold-out check fails"), the command never is.
    ...holdouts.map((given, index) => ({
      ...commandCheck(given, 'holdouts', source, `holdout-${index + 1}`),
      timeoutMs,
      holdout: true,
    })),
  ];
  return reports.reduce((named, report) => withReport(named, report, source), withUniqueNames(withShortNames(checks)));
}

/** Short enough for a line of a report. */
export function withShortNames(checks: readonly CheckSpec[]): readonly CheckSpec[] {
  return checks.map((check) => ({ ...check, name: oneLine(check.name, NAME_CHARS_MAX) }));
}

/** Only commands can be run elsewhere. */
export function buildRoom(options: RoomOptions | 'none', checks: readonly CheckSpec[]): Pick<Spec, 'room'> {
  if (options === 'none' || !checks.some((check) => check.probe.kind === 'command')) return {};
  const { keep = [], free = [], setup } = options;
  return { room: { keep, free, ...(setup === undefined ? {} : { setup }) } };
}

/** `unit:: npm test`: a name, and the check that has it. */
export function splitCheckName(given: string): { readonly name: string | null; readonly rest: string } {
  const named = NAMED.exec(given);
  return named === null ? { name: null, rest: given } : { name: named[1] ?? null, rest: given.slice(named[0].length) };
}

function commandCheck(
  given: string,
  option: OptionName,
  source: OptionSource,
  otherwise?: string,
): Pick<CheckSpec, 'name' | 'probe'> {
  const { name, rest: command } = splitCheckName(given);
  if (command.trim() === '')
    throw new Fault(
      'USAGE',
      `Cannot use an empty command for ${source.nameOf(option)}. Give the command to run, such as ${source.written(option, 'npm test')}.`,
    );
  return { name: name ?? otherwise ?? command, probe: { kind: 'command', command } };
}

/** A report belongs to the check named before it, or to the only command among the checks. */
function withReport(
  checks: readonly CheckSpec[],
  { check: name, file }: { readonly check: string | null; readonly file: string },
  source: OptionSource,
): readonly CheckSpec[] {
  const commands = checks.filter((check) => check.probe.kind === 'command');
  const shown = commands.filter((check) => !check.holdout);
  const [owner, ...others] = name === null ? shown : commands.filter((check) => check.name === name);
  const report = oneLine(file, NAME_CHARS_MAX);
  const option = source.nameOf('reports');
  if (owner === undefined)
    throw new Fault(
      'USAGE',
      name === null
        ? `Cannot use ${option} ${report} without a command that writes it. Add ${source.written('checks', 'CMD')}.`
        : `Cannot use ${option} for "${name}": no command has this name. Name one: ${source.written('checks', `${name}:: CMD`)}.`,
    );
  if (others.length > 0)
    throw new Fault(
      'USAGE',
      `Cannot tell which check writes ${report}. Name both: ${source.written('checks', 'unit:: CMD')} ${source.written('reports', `unit:: ${report}`)}.`,
    );
  return checks.map((check) => (check === owner ? { ...check, reports: [...(check.reports ?? []), file] } : check));
}
