import path from 'node:path';
import { Fault } from '../../core/fault.ts';
import { DEMO_AGENT_SCRIPT } from '../../engine/demo-agent.ts';
import { ensureDir, readTextIfExists, writeFileAtomic } from '../../system/files.ts';
import { AGENT_SCRIPT } from './agent-script.ts';
import { CHEAT_SCRIPT } from './cheat-script.ts';
import { PROJECT_FILES } from './project-files.ts';

/** Writes the demo's project and its agent into a temporary directory. Refuses a directory that already holds a project. */
export function prepareDemo(directory: string, agent: 'honest' | 'cheating' = 'honest'): void {
  if (readTextIfExists(path.join(directory, 'package.json')) !== undefined) {
    throw new Fault('USAGE', `There is a project in ${directory} already. Give the demo a new directory.`);
  }
  const script = agent === 'honest' ? AGENT_SCRIPT : CHEAT_SCRIPT;
  for (const [name, text] of Object.entries({ ...PROJECT_FILES, [DEMO_AGENT_SCRIPT]: script })) {
    const file = path.join(directory, name);
    ensureDir(path.dirname(file));
    writeFileAtomic(file, text, { durable: false });
  }
}
