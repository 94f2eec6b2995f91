import { claudeCode } from './claude-code/claude-code.ts';
import type { Host, HostId } from './host.ts';

/** Those this version can answer. */
export const HOSTS: Readonly<Partial<Record<HostId, Host>>> = { 'claude-code': claudeCode };
