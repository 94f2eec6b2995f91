import type { HostId } from '../../hosts/ids.ts';
import { hostNamed } from '../../hosts/ids.ts';
import { HOSTS } from '../../hosts/hosts.ts';
import type { Program } from '../../system/settings-files.ts';
import { thisProgram } from '../../system/settings-files.ts';
import { openLoopsInProject } from '../../engine/session-loops.ts';
import type { SetupWorld } from '../setup-world.ts';
import { refuseReadOnlyIn } from './file-plan.ts';
import { planLeftovers, ourEntryTest, planEdits } from './host-plan.ts';
import { setupPlaceFor } from './installation.ts';
import type { InstallRecord, RecordKey } from './install-record.ts';
import { isSharedGuard, readRecord, removeRecord } from './install-record.ts';
import { planUndo } from './undo-plan.ts';
import { applyPlan, applyUndo } from './apply-plan.ts';

/**
 * With `install --on-demand`, the hooks of a loop are in the settings of its project only while a loop is armed, so that no process runs
 * without a loop. Both functions do nothing unless the user asked for that. Both throw a Fault.
 */

/** Call it once the loop is committed, before its first prompt is delivered. */
export function armOnDemand(
  host: HostId,
  project: string,
  world: SetupWorld,
  program: Program = thisProgram(),
): 'armed' | 'not-on-demand' {
  const setup = HOSTS[host].install;
  if (setup.whileArmed === undefined || !isOnDemand(host, project, world)) return 'not-on-demand';
  const key = keyOf(host, project);
  const installation = {
    host,
    scope: 'project',
    project,
    native: true,
    dialects: [],
    onDemand: true,
    trust: false,
  } as const;
  const place = setupPlaceFor(installation, world, program);
  const files = planEdits([...place.guards, ...setup.whileArmed(place)], key, place);
  refuseReadOnlyIn(files);
  const record: InstallRecord = {
    version: 1,
    ...key,
    native: true,
    dialects: [],
    onDemand: true,
    trust: false,
    files: files.flatMap((file) => file.record ?? []),
  };
  const home = world.services.home();
  applyPlan(home, { record, files, undone: planLeftovers(files, key, home), advice: [] });
  return 'armed';
}

/**
 * Call it once the end of the loop is committed. While another loop of this project is open, nothing happens. A loop that is armed at this
 * moment is committed before it asks for the hooks: the second look sees it and restores them.
 */
export async function disarmOnDemand(
  name: string,
  project: string,
  world: SetupWorld,
  program: Program = thisProgram(),
): Promise<'disarmed' | 'still-armed' | 'not-on-demand'> {
  const host = hostNamed(name);
  if (host === undefined) return 'not-on-demand';
  const home = world.services.home();
  const record = readRecord(home, keyOf(host, project));
  if (record === undefined) return 'not-on-demand';
  if (await hasOpenLoop(host, project, world)) return 'still-armed';
  const undone = record.files
    .toReversed()
    .filter((file) => !isSharedGuard(file, home, [record]))
    .map((file) => planUndo(file, ourEntryTest(record, home)));
  // Its folder stays: a running client watches it, and would not notice a folder that is recreated for the next loop.
  applyUndo(undone.map((plan) => ({ ...plan, folder: null })));
  removeRecord(home, record);
  if (!(await hasOpenLoop(host, project, world))) return 'disarmed';
  armOnDemand(host, project, world, program);
  return 'still-armed';
}

/** As the user chose for this project, otherwise for all of them. */
export function isOnDemand(host: HostId, project: string, world: SetupWorld): boolean {
  const home = world.services.home();
  const ofProject = readRecord(home, { host, scope: 'project', project });
  const record = ofProject?.native === true ? ofProject : readRecord(home, { host, scope: 'user', project: null });
  return record?.onDemand === true;
}

function keyOf(host: HostId, project: string): RecordKey & { readonly scope: 'armed' } {
  return { host, scope: 'armed', project };
}

async function hasOpenLoop(host: HostId, project: string, world: SetupWorld): Promise<boolean> {
  const store = await world.services.store();
  return openLoopsInProject(host, project, store).some(({ spec }) => spec.dialect === undefined);
}
