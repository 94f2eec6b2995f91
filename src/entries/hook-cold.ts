/** What the hook seldom needs, in one file beside it: the bundler puts a door to it in the place of these modules. */
export * from '../hook/notices.ts';
export * from '../stores/deflate-entry.ts';
export * from '../stores/journal-faults.ts';
export * from '../stores/write-blob.ts';
export * from '../system/kept-code.ts';
export * from '../system/run-tool.ts';
export * from '../system/store-fault.ts';
