import type { ErrorClass } from './state.ts';

/**
 * What runners, compilers, package managers, systems and model APIs print, as a table. The first matching row wins, so the order settles
 * ambiguous cases: a missing package, then a failed test or a linter's report for any reason, then refusals and network errors, and last
 * anything that only sounds like one of these. Each pattern reads a bounded part of a line.
 */
export const ERROR_PATTERNS: readonly (readonly [ErrorClass, readonly RegExp[]])[] = [
  ['logic', ownScripts()],
  ['blocking', missingDependencies()],
  ['logic', failedTests()],
  ['logic', reportsOfLinters()],
  ['blocking', refusals()],
  ['transient', networks()],
  ['logic', wrongCode()],
  ['transient', notNow()],
];

/** A script or module that a package manager reports as missing here belongs to the project itself: the agent can write it. */
function ownScripts(): readonly RegExp[] {
  return [
    /\bmissing script\b|\berror Command "[^"\n]{1,80}" not found\b/iu,
    /\bERR_PNPM_(?:RECURSIVE_RUN_FIRST_FAIL|OUTDATED_LOCKFILE|NO_SCRIPT)|\bYN0028\b/u,
  ];
}

/** A package or a program that is not installed. A relative or absolute path is a file of the project, unless it is in node_modules. */
function missingDependencies(): readonly RegExp[] {
  return [
    /\bcannot find (?:module|package) ['"`]?(?![.'"`/\\]|[A-Z]:)/iu,
    /\bcannot find (?:module|package) ['"`]?[^'"`\n]{0,300}[/\\]node_modules[/\\]/iu,
    /\b(?:can't|could not|failed to) resolve (?:import )?['"`](?!\.|[/\\]|[A-Z]:)/iu,
    /\b(?:no module named|command not found|not installed|(?:executable|program) (?:file )?(?:not found|doesn't exist))\b/iu,
    /\bunknown command: |\bis not recognized as (?:an internal or external command|the name of a cmdlet)/iu,
    /(?:^|[/\s])(?:sh|bash|dash|ash|zsh|ksh|env): [^\n]{0,200}(?:: not found$|: No such file or directory$)/imu,
    /\b(?:exit(?:ed)?(?: with)?) (?:code|status) 127\b|\bspawn \S{1,200} ENOENT\b/iu,
    /\bno matching (?:distribution|version|package)\b|\bcouldn't find (?:package|any versions|the node_modules|the config)\b/iu,
    /\bnpm (?:ERR!|error) (?:peer dep )?missing\b|\bUNMET (?:PEER |OPTIONAL )?DEPENDENCY\b|\bnode_modules missing\b/iu,
    /\b(?:code E404|ERR_PNPM_FETCH_404|ERESOLVE|ETARGET|EBADENGINE|could not determine executable to run)\b/u,
    /\bno required module provides\b|\bmissing go\.sum entry\b|\bpackage \S{1,200} is not in (?:std|GOROOT)\b/iu,
    /\b(?:failed to select a version|no such command:|linker `[^`\n]{1,80}` not found|can't find crate)/iu,
    /\bcannot find type definition file\b|\bfatal error: \S{1,200}: No such file\b|\bcannot find -l\w/iu,
    /^\s*ERR_MODULE_NOT_FOUND\s*$|\bnpm (?:ERR!|error) 404\b/u,
    /\bmissing (?:dependency|dependencies|module|package|credentials?|api key)\b/iu,
  ];
}

/** How test runners and people report a failed test: jest, vitest, mocha, TAP, pytest, go, cargo, rspec, Maven, Gradle, .NET, make. */
function failedTests(): readonly RegExp[] {
  return [
    /\b[1-9]\d*\s+(?:snapshots? )?(?:failed|failing|failures?)\b(?!\s+(?:attempts?|logins?|requests?|connections?|retries))/iu,
    /^\s*(?:-{3}\s+)?FAIL(?:ED)?:?\s+\S/mu,
    /(?<!\b(?:0|no) )\b(?:tests?|specs?)(?: (?:suites?|runs?|cases?|files?))? (?:(?:has|have|is|are|was|were) )?(?:fail(?:ed|ure|s|ing)?|timed? ?out|broken)\b/iu,
    /\b(?:tests?|specs?|suites?) (?:do|does|did) not pass\b|\bfail(?:ed|ing) (?:tests?|specs?|suites?)\b|\btest result: FAILED\b/iu,
    // Capital letters only: axios says "timeout of 5000ms exceeded" about the network.
    /\b(?:Timeout (?:of )?\d+ ?ms exceeded|[Tt]est timeout of|Exceeded timeout of \d+ ?ms|Timed out retrying after)\b/u,
    /\bexpected\b.{0,120}\b(?:to (?:be|equal|have|match|contain|include|throw|deeply|strictly)|but (?:got|was|received|found))\b/iu,
    /^(?:not ok|[#ℹ]\s*fail [1-9]|FAILURES!$|\s{0,10}\d{1,5}\) \S)/mu,
    /\bfail(?:ed|ures?):\s*[1-9]/iu,
    /=\s[1-9]\d*\serrors?\sin\s[\d.]+s|\berrors? during collection\b|\bno tests? (?:files? )?(?:found|ran)\b/iu,
    /\bBUILD FAIL(?:ED|URE)\b|\*\*\* \[[^\]\n]{1,200}\] Error \d/u,
    /\b(?:command failed[^\n]{0,80}|lifecycle script `?|npm ERR! |failed at the \S{1,200} )(?:test|lint|check|build|typecheck)\b/iu,
    /\bERR_TEST_FAILURE\b|\bexpect\([^)\n]{0,200}\)\.|\bfixture '[^'\n]{1,80}' not found\b|\bcoverage\b[^\n]{0,120}\b(?:not met|not reached|does not meet)\b/iu,
  ];
}

/** Linter summaries and compiler codes: their texts may contain any other word in this table. */
function reportsOfLinters(): readonly RegExp[] {
  return [
    /\berror TS\d{4,5}\b|\berror\[E\d{4}\]|\berror CS\d{4}\b|\bcould not compile\b|\bAssertionError\b|^E\s{2,}assert\b/mu,
    /[✖×] [1-9]\d* problems?\b|\bfound (?:\d+ warnings? and )?[1-9]\d* errors?\b|\b[1-9]\d* errors?, \d+ warnings?\b/iu,
    /\bESLint (?:found|couldn't find)\b|\bwould (?:be )?reformat|\b(?:code style|format) issues\b|\bfound [1-9]\d* warnings?\b/iu,
  ];
}

/** Permissions, disks, accounts and certificates: a person has to act. */
function refusals(): readonly RegExp[] {
  return [
    /\b(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|permission denied|access denied|login denied|not permitted|read-only file system|no space left|disk quota exceeded)\b/iu,
    /\b(?:unauthori[sz]ed|unauthenticated|forbidden|payment required|proxy authentication required|ENEEDAUTH)\b|\bcode E40[13]\b/iu,
    /\bauthentication(?:[_ ]?(?:failed|error|required))\b|\bpermission(?:_error|DeniedError)\b|\bbilling(?:_error| details)\b/iu,
    /\b(?:insufficient_quota|exceeded your current quota|credit balance is too low|oauth_org_not_allowed|model_not_found|does not exist or you do not have access)\b/iu,
    /\b(?:invalid|incorrect|expired|unknown)[ _](?:x-)?api[ _-]?key\b|\b(?:token|api key|credentials?) (?:has |have |is |are )?(?:expired|revoked|invalid)\b/iu,
    /\benvironment variable (?:\S{1,80} )?is (?:missing|not set|empty|required)\b|\bapi[ _]key is (?:missing|not set|required)\b/iu,
    /\bcould not read (?:Username|Password)\b|\bpassword is required\b|\b(?:please (?:run \/login|log ?in)|not logged in|login required)\b/iu,
    /\b(?:certificate problem|certificate verify failed|self[- ]signed certificate|unable to get local issuer|unable to verify the first certificate)\b/iu,
    httpStatus('40[1237]'),
  ];
}

function networks(): readonly RegExp[] {
  return [
    /\b(?:fetch failed|failed to fetch|E(?:TIMEDOUT|SOCKETTIMEDOUT|CONNRESET|CONNREFUSED|CONNABORTED|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH|NETDOWN|NETRESET)|UND_ERR_\w+|ERR_NETWORK|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL)\b/iu,
    /\bconnection (?:was )?(?:refused|reset|closed|aborted|lost|timed out|error)\b|\b(?:API)?Connection(?:Refused|Reset|Aborted)?Error\b/iu,
    /\b(?:failed|unable|could not|couldn't) (?:to )?(?:connect|reach)\b|\bunable to access '?https?:|\b(?:could not|couldn't) resolve (?:host|proxy)/iu,
    /\b(?:socket hang up|broken pipe|premature close|other side closed|name resolution|name or service not known|no such host|unknown ?host(?:exception)?)\b/iu,
    /\b(?:network|host) is (?:unreachable|down)\b|\bnetwork ?(?:error|request|timeout)\b|\bTLS handshake\b|\bdns\b|\bmax retries exceeded\b/iu,
    /\b(?:empty reply from server|recv failure|transfer closed|remote end hung up|server disconnected)\b|"https?:[^"\n]{1,300}": (?:unexpected )?EOF$/imu,
    /\b(?:InternalServer|RateLimit|API(?:Connection|Timeout))Error\b/u,
    httpStatus('408|425|429|50[0234]|52\\d'),
  ];
}

function wrongCode(): readonly RegExp[] {
  return [
    /\bcannot find (?:module|package) ['"`]?(?:[./\\]|[A-Z]:)|\b(?:can't|could not|failed to) (?:resolve|load) (?:import |url )?['"`]?[./\\]/iu,
    /\bassert(?:ion)?(?: ?error| failed)?\b|\bexpected .{0,80} (?:to|but)\b/iu,
    /\b(?:syntax|type|reference|name|indentation|attribute|range|value|import|key|index|zerodivision|recursion|notimplemented|parsing|compilation|compile) ?error\b|\bTS\d{4}\b/iu,
    /\b(?:ERR_REQUIRE_ESM|ERR_ASSERTION|ERR_UNSUPPORTED_DIR_IMPORT|ERR_PACKAGE_PATH_NOT_EXPORTED|ELIFECYCLE)\b|^error Command failed with exit code \d/mu,
    /\blint\b|\b(?:build|lint(?:ing|er)?|type ?-?check(?:ing|er)?|compilation|compiling|formatting) (?:has )?failed\b|\bdoes not compile\b|\bcompil(?:e|ation) error\b/iu,
    /^(?:\S{1,300})\.\w{1,8}:\d{1,7}:\d{1,5}:? |\b(?:runtime error|panicked at|DATA RACE|NullPointerException|undefined reference|unhandled (?:error|exception|rejection))\b/imu,
    /\bmerge conflict\b|\[rejected\]|\bDiff in \S{1,300} at line \d|\bhas been rated at [\d.]+\/10\b|\berrors were emitted\b/iu,
    /\b(?!4\d\d client error)[1-9]\d*\s+(?:\w+\s+)?(?:errors?|problems?)\b/iu,
  ];
}

function notNow(): readonly RegExp[] {
  return [
    /\b(?:timed? ?-?out|timeout(?:_?error|exception)?|\w*TimeoutError|AbortError|deadline exceeded|network|resource temporarily unavailable)\b/iu,
    /\b(?:overloaded(?:_error)?|rate[ _]?limit(?:ed|_error|_exceeded)?|too many requests|usage limit reached|RESOURCE_EXHAUSTED)\b/iu,
    /\b(?:temporarily unavailable|service unavailable|bad gateway|gateway time-?out|internal server error|try again later|the server had an error|(?:api|server)_error)\b/iu,
    /\bcode E5\d\d\b|\bERR_PNPM_FETCH_5\d\d\b/u,
  ];
}

/** A number is a status only next to a word about one: there can also be 502 files. */
function httpStatus(codes: string): RegExp {
  const before = `\\b(?:HTTP(?:\\/[\\d.]+)?|status(?: code)?|returned error|server returned|API Error|\\w{0,40}Error):? {1,3}(?:${codes})\\b`;
  const after = `\\b(?:${codes}) (?:Server Error|status code|Unauthorized|Forbidden|Gateway|Bad Gateway|Service|Too Many|Internal|Request Time)`;
  return new RegExp(`${before}|${after}|^\\s*(?:${codes})\\s*$`, 'iu');
}
