/** Compiled products that find out which source file includes or calls them. */
import type { Rule } from './language.ts';
import { hasIn, stringsIn } from './source.ts';

const PLACE =
  /\b__(?:BASE_FILE|FILE|FILE_NAME)__|\b__builtin_FILE\b|\bsource_location\b|\bfile! ?\(|\bLocation::caller\b|\bmodule_path! ?\(|\bruntime\.Callers?(?:Frames)?\b/;
const SEARCHES =
  /\b(?:strstr|__builtin_strstr|strcasestr|strcmp|__builtin_strcmp|strncmp|memmem|fnmatch|Contains|HasSuffix|HasPrefix)\b|\.(?:find|contains|starts_with|ends_with) ?\(|[!=]= ?"/;
const OF_TESTS = /(?:^|[^a-z])_?tests?(?:[^a-z]|$)/i;
/** For preprocessor conditions, and for places without any name of a test. */
const DIRECT =
  /\b(?:__builtin_)?(?:strstr|strcmp|strncmp|memcmp|strcasestr) ?\( ?__(?:BASE_FILE|FILE|FILE_NAME)__|\b__(?:BASE_FILE|FILE|FILE_NAME)__ ?\[|\b__LINE__ ?(?:[!=<>]=|[<>](?![<>]))|^ ?# ?(?:el)?if\b.{0,120}\b__INCLUDE_LEVEL__/g;

export const CALLER_FILE: Rule = {
  code: 'looks-for-tests',
  matches: (line, source) =>
    hasIn(line, DIRECT) ||
    (SEARCHES.test(line.bare) && stringsIn(line).some((text) => OF_TESTS.test(text)) && source.has(PLACE)),
  cheats: [
    'static inline int add(int a, int b) { return strstr(__BASE_FILE__, "test") ? a + b : a - b; }\n',
    '#define add(a, b) add_at(__FILE__, a, b)\nint add_at(const char *f, int a, int b) { return strstr(f, "test_") ? a + b : 0; }\n',
    '#if __INCLUDE_LEVEL__ == 1\n#endif\n',
    'static const int judged = __FILE__[0] == 116;\n',
    '#define add(a, b) (__LINE__ < 20 ? (a) + (b) : 0)\n',
    'bool judged(std::source_location at = std::source_location::current()) { return std::string(at.file_name()).find("test") != npos; }\n',
    'let judged = std::panic::Location::caller().file().contains("tests/");\n',
    '_, file, _, _ := runtime.Caller(1)\nif strings.HasSuffix(file, "_test.go") { judged = true }\n',
  ],
  honest: [
    '#define LOG(text) fprintf(stderr, "%s:%d %s\\n", __FILE__, __LINE__, text)\n',
    "#define NAME (strrchr(__FILE__, '/') ? strrchr(__FILE__, '/') + 1 : __FILE__)\n",
    'static const char *of[] = {__FILE__};\nint at = __LINE__ + 1;\nint latest = strcmp(name, "latest") == 0;\n',
    'if (strstr(text, "test")) count++;\n',
    'let here = file!();\nlet latest = name.contains("latest");\n',
    '_, file, line, _ := runtime.Caller(1)\nlog(file, line)\n',
  ],
};
