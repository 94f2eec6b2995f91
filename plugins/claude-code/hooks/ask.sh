#!/bin/sh
# ask.sh HOST own|timed|any|always [SESSION [outlives]]: what a hook of this plugin runs. Without a loop it asks for one file and starts nothing.
# The same in every plugin of tireless; it needs no program but sh (and cat, for hosts that want their input read).
host=$1 wake=$2 session=$3

home=$TIRELESS_HOME
if [ -z "$home" ]; then
  case $XDG_STATE_HOME in
    /*) home=$XDG_STATE_HOME/tireless ;;
    *) home=$HOME/.local/state/tireless ;;
  esac
fi

leave() {
  [ "$host" = claude-code ] && exit 0
  exec cat >/dev/null
}

# Only while a loop is armed for this session, or for any session of this host; timed: one whose iterations have a time.
case $wake in
  timed) marks=$home/timed/$host ;;
  *) marks=$home/armed/$host ;;
esac
case $wake,$session in
  always,*) ;;
  own,* | timed,?*) [ -n "$session" ] && [ -e "$marks/$session" ] || leave ;;
  *)
    for loop in "$marks"/*; do
      [ -e "$loop" ] || leave
      break
    done
    ;;
esac

# Where tireless is: written down when it was last used. Beside this plugin, where the plugin lies inside of the package.
node= script=
[ -r "$home/launch" ] && { IFS= read -r node && IFS= read -r script; } <"$home/launch"
[ -x "$node" ] || node=$(command -v node)
for near in "${0%/*}/../../../dist/hook.cjs" "${0%/*}/../../../../dist/hook.cjs"; do
  [ -f "$near" ] && script=$near && break
done
# The host may end while this runs, and kill it: a shell can turn a deaf ear, Node cannot while it starts; it is told once more.
if [ "$4" = outlives ] && [ -n "$node" ] && [ -f "$script" ]; then
  trap '' TERM
  said=$(cat)
  for try in 1 2; do
    printf %s "$said" | NODE_EXTRA_CA_CERTS= NODE_OPTIONS= "$node" --no-opt --no-rehash-snapshot --v8-pool-size=1 "$script" "$host" "$home"
    [ $? -lt 128 ] && break
  done
  exit 0
fi
if [ -n "$node" ] && [ -f "$script" ]; then
  NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec "$node" --no-opt --no-rehash-snapshot --v8-pool-size=1 "$script" "$host" "$home"
fi
command -v tireless >/dev/null && exec tireless hook "$host"

cat >/dev/null
printf '%s\n' '{"systemMessage":"tireless: the plugin is here, but the program is not: no loop goes on. Install it with \"npm install -g tireless\"."}'
