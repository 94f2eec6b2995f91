/** What a host writes to the stdin of its stop hook. */
export function aStop(project: string, message: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    session_id: 'session-1',
    cwd: project,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: message,
    background_tasks: [],
    session_crons: [],
    ...more,
  });
}
