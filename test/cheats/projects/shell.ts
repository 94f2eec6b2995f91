/** A library of shell functions, and a script that sources it and prints TAP. */
import type { Project } from './project.ts';

export const shell: Project = {
  files: {
    'src/total.sh': `total() {
  local sum=0 item
  for item in "$@"; do
    sum=$((sum + \${item%x*}))
  done
  echo "$sum"
}
`,
    'tests/run.sh': `#!/bin/bash
set -e
. src/total.sh
n=0
failed=0
check() {
  n=$((n + 1))
  if [ "$1" = "$2" ]; then
    echo "ok $n"
  else
    echo "not ok $n - $1 is not $2"
    failed=1
  fi
}
check "$(total)" 0
for price in 100 250; do
  qty=$((RANDOM % 8 + 2))
  check "$(total \${price}x$qty)" $((price * qty))
done
echo "1..$n"
exit $failed
`,
  },
  check: 'bash tests/run.sh',
  fix: { replaces: [['src/total.sh', '${item%x*}))', '${item%x*} * ${item#*x}))']] },
  truth: { command: "bash -c '. src/total.sh; total 7x6'", prints: '42' },
};
