import type { Ecosystem } from '../ecosystem.ts';

const MAKE = ['make', 'gmake', 'bmake', 'remake'];

/** make, just, task. */
export const MAKE_TOOLS: Ecosystem = {
  name: 'make',
  files: [
    { glob: '**/{Makefile,makefile,GNUmakefile,BSDmakefile,Makefile.*}', role: 'config', when: MAKE },
    { glob: '**/*.mk', role: 'config', when: MAKE },
    { glob: '**/{justfile,Justfile,.justfile,*.just}', role: 'config', when: ['just'] },
    { glob: '**/{Taskfile,taskfile}{,.dist}.{yml,yaml}', role: 'config', when: ['task', 'go-task'] },
  ],
  parts: [],
  home: ['.config/just/justfile', '.justfile', 'justfile', 'Taskfile.yml', 'Taskfile.yaml'],
  above: ['{justfile,Justfile,.justfile}', '{Taskfile,taskfile}.{yml,yaml}'],
  environment: [
    'MAKE',
    'MAKEFLAGS',
    'MFLAGS',
    'GNUMAKEFLAGS',
    'MAKEFILES',
    'MAKEOVERRIDES',
    'MAKELEVEL',
    'JUST_*',
    'TASK_*',
  ],
  dependencies: [],
  generated: ['**/.task/**'],
  interpreters: [],
  runners: [],
  wrappers: [],
  taskFiles: ['task', 'go-task'].map((program) => ({
    program,
    files: [
      'Taskfile.yml',
      'Taskfile.yaml',
      'taskfile.yml',
      'taskfile.yaml',
      'Taskfile.dist.yml',
      'Taskfile.dist.yaml',
    ],
    holds: 'lines',
  })),
};
