/**
 * Modules that a stop rarely needs, in one file next to the fast hook. The bundler reads this list, and the file is loaded when one of
 * their functions is first called.
 */
export * from '../core/decide-failure.ts';
export * from '../core/decide-other.ts';
export * from '../core/decide-room.ts';
export * from '../core/failing-part/failing-part.ts';
export * from '../core/failure-class.ts';
export * from '../core/learn-rarely.ts';
export * from '../core/prompt-near.ts';
export * from '../core/prompt-room.ts';
export * from '../core/session-moved.ts';
export * from '../core/trouble.ts';
export * from '../core/vouchers.ts';
export * from '../engine/gather-room.ts';
export * from '../engine/live-file.ts';
export * from '../engine/moved-away.ts';
export * from '../engine/people-only.ts';
export * from '../engine/session-talk.ts';
export * from '../engine/take-over.ts';
export * from '../engine/tool-request.ts';
export * from '../engine/unseen-outcome.ts';
export * from '../evidence/quick-probe.ts';
export * from '../hook/notices.ts';
export * from '../hosts/answer-waits.ts';
export * from '../hosts/claude-code/answer-waits.ts';
export * from '../hosts/droid/prompts-since.ts';
export * from '../hosts/last-work.ts';
export * from '../hosts/typed-command.ts';
export * from '../stores/deflate-entry.ts';
export * from '../stores/journal-faults.ts';
export * from '../stores/private-home.ts';
export * from '../stores/sessions.ts';
export * from '../stores/write-blob.ts';
export * from '../system/kept-code.ts';
export * from '../system/run-tool.ts';
export * from '../system/store-fault.ts';
