import type { ProjectName } from '../catalogue/case.ts';
import { make, rust } from './compiled.ts';
import { jest, node, vitest } from './javascript.ts';
import type { Project } from './project.ts';
import { pytest } from './pytest.ts';
import { shell } from './shell.ts';

export const PROJECTS: Readonly<Record<ProjectName, Project>> = { node, vitest, jest, pytest, make, rust, shell };
