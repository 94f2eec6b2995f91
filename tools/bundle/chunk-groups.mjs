// @ts-check
/**
 * Which modules share a chunk. Loading a file costs about a millisecond, and a hundred unused lines much less: so there are few chunks,
 * split where commands differ.
 */
export const CHUNK_GROUPS = [
  // Only readers of a foreign state file load these.
  { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
  // Only the setup of a host loads this.
  {
    name: 'install',
    test: /node_modules[\\/]smol-toml[\\/]|src[\\/](setup[\\/]settings[\\/]|(cli[\\/](show-plan|commands[\\/](un)?install)|views[\\/]unified-diff|system[\\/]git-exclude)\.ts$)/,
  },
  {
    name: 'hook',
    // Includes everything a typed command needs; the chunks below import none of it.
    test: /src[\\/](hook[\\/]|cli[\\/](hook-ports|wake-agent|(start|typed)-args|commands[\\/]hook)\.ts$)/,
  },
  // Only `tireless mcp` loads this: the SDK and its validation.
  {
    name: 'mcp-sdk',
    test: /node_modules[\\/](@modelcontextprotocol|ajv|ajv-formats|fast-uri|fast-deep-equal|json-schema-traverse)[\\/]/,
  },
  // Only the doctor starts it.
  { name: 'fake-model', test: /src[\\/]setup[\\/]fake-model[\\/]/ },
  {
    name: 'drive',
    test: /src[\\/](evidence|runner)[\\/]|src[\\/]system[\\/](spawn|supervise|kill|watchdog|match-within|process-search|run-program|start-program)/,
  },
  {
    name: 'base',
    test: /src[\\/](core|views|stores|system|terminal|engine|hosts[\\/]|setup[\\/](agent-program|own-call|tracker-file|waiting-files)\.ts$|dialects[\\/](counting|dialect|names|state-files|registry|[^\\/]+[\\/]descriptor)\.ts$|cli[\\/](?!config-schema|start-dialect|armed-lines|agent-tools|check-attestation|show-review|demo-)[^\\/]+$)/,
  },
];
