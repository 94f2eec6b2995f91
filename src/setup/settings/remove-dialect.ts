import type { DialectName } from '../../dialects/names.ts';
import { DIALECT_NAMES } from '../../dialects/names.ts';
import type { HostId } from '../../hosts/ids.ts';
import { thisProgram } from '../../system/settings-files.ts';
import type { SetupWorld } from '../setup-world.ts';
import { applyPlan, applyUndo } from './apply-plan.ts';
import { planHost } from './host-plan.ts';
import { setupPlaceFor } from './installation.ts';
import { findInstalled } from './installed-part.ts';
import type { InstallRecord } from './install-record.ts';
import { allRecords, removeRecord } from './install-record.ts';
import { planLines, undoLines } from './plan-lines.ts';

/** How one host stops answering for a dialect. Nothing is written before `apply`. */
type DialectRemoval = { readonly host: HostId; readonly lines: readonly string[]; readonly apply: () => void };

/** Where this dialect is enabled in a project. `hosts`: empty = every host. */
export function findDialect(
  dialect: DialectName,
  { hosts, project }: { readonly hosts: readonly HostId[]; readonly project: string },
  world: SetupWorld,
): readonly DialectRemoval[] {
  return allRecords(world.services.home())
    .filter(
      (record) =>
        record.project === project &&
        record.dialects.includes(dialect) &&
        (hosts.length === 0 || hosts.includes(record.host)),
    )
    .map((record) => removalFrom(record, dialect, world));
}

function removalFrom(record: InstallRecord, dialect: DialectName, world: SetupWorld): DialectRemoval {
  const { host, native, onDemand, trust, iterationTimeoutMs, hookWords } = record;
  const project = record.project ?? world.cwd;
  const home = world.services.home();
  const dialects = DIALECT_NAMES.filter((name) => name !== dialect && record.dialects.includes(name));
  if (native || dialects.length > 0) {
    const installation = {
      host,
      scope: 'project',
      project,
      native,
      dialects,
      onDemand,
      trust,
      iterationTimeoutMs,
      hookWords: Object.fromEntries(Object.entries(hookWords ?? {}).filter(([name]) => name !== dialect)),
    } as const;
    const plan = planHost(installation, setupPlaceFor(installation, world, thisProgram()));
    return { host, lines: planLines(plan).slice(1), apply: () => applyPlan(home, plan) };
  }
  const parts = findInstalled({ hosts: [host], user: false, project: true, cwd: project }, world);
  const part = parts.find((each) => each.record?.scope === 'project');
  const undone = part?.plan() ?? [];
  return {
    host,
    lines: undoLines(undone),
    apply: () => {
      applyUndo(undone);
      removeRecord(home, record);
    },
  };
}
