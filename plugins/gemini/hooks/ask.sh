#!/bin/sh
# ask.sh HOST own|tool|any|always [SESSION [outlives|stays [--wake|--notice]]]: what a hook of this plugin runs. Without a loop it asks for one file and starts nothing.
# It needs no program but sh (and cat, for hosts that want their input read). Generated: edit tools/ask.sh, then node tools/write-plugins.mjs.
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

# Capitals and other signs are escaped in the names of marks, which sh cannot do alone: any loop wakes such a session, and the hook looks closer.
case $session in
  -* | *[!0123456789abcdefghijklmnopqrstuvwxyz_-]* | con | prn | aux | nul | clock | conin | conout | com[0-9] | lpt[0-9]) odd=1 ;;
  *) if [ ${#session} -gt 100 ]; then odd=1; else odd=; fi ;;
esac

# Is there a mark of this session, or of any session of this host where none is named?
marked() {
  [ -n "$session" ] && [ -z "$odd" ] && { [ -e "$home/$1/$host/$session" ] && return; return 1; }
  for loop in "$home/$1/$host"/*; do
    [ -e "$loop" ] && return
    return 1
  done
}

# An open session of Claude Code keeps the hooks of a plugin that was uninstalled. One that came with --plugin-dir is in no list.
uninstalled() {
  [ "$host" = claude-code ] && [ -n "$CLAUDE_PLUGIN_DATA" ] || return 1
  list=${CLAUDE_PLUGIN_DATA%/*/*}/installed_plugins.json
  case $CLAUDE_PLUGIN_DATA in *-inline) return 1 ;; esac
  [ -r "$list" ] || return 1
  case $(cat "$list") in *'"tireless@'*) return 1 ;; esac
}

# Only while a loop is armed. Before a tool: only if its iterations have a time, or the payload contains one of our words.
said= held=
case $wake in
  always) ;;
  own)
    [ -n "$session" ] && marked armed || leave
    if uninstalled; then
      [ -z "$5" ] && printf '{"systemMessage":"%s"}\n' 'tireless: its plugin was uninstalled, so no loop continues in this session. To continue it outside: tireless resume --agent claude-code'
      exit 0
    fi
    ;;
  tool)
    marked armed || leave
    if ! marked timed; then
      said=$(cat) held=1
      end=${home%/*}
      end=${end##*/}/${home##*/}
      case $said in
        *tireless* | *TIRELESS* | *"$end"*) ;;
        *) exit 0 ;;
      esac
    fi
    ;;
  *) session= && { marked armed || leave; } ;;
esac

# Where tireless is: written down when it was last used. Beside this plugin, where the plugin lies inside of the package.
node= script=
[ -r "$home/launch" ] && { IFS= read -r node && IFS= read -r script; } <"$home/launch"
[ -x "$node" ] || node=$(command -v node)
for near in "${0%/*}/../../../dist/hook.cjs" "${0%/*}/../../../../dist/hook.cjs"; do
  [ -f "$near" ] && script=$near && break
done
# The host may end while this runs, and kill it: sh can ignore SIGTERM, Node cannot while it starts, so it is started once more.
if [ "$4" = outlives ] && [ -n "$node" ] && [ -f "$script" ]; then
  trap '' TERM
  said=$(cat)
  for try in 1 2; do
    printf %s "$said" | NODE_EXTRA_CA_CERTS= NODE_OPTIONS= "$node" --no-opt --no-rehash-snapshot --v8-pool-size=1 "$script" "$host" "$home" ${5:+"$5"}
    code=$?
    [ $code -lt 128 ] || [ $code -eq 137 ] && break
  done
  exit $code
fi
if [ -n "$held" ] && [ -n "$node" ] && [ -f "$script" ]; then
  printf %s "$said" | NODE_EXTRA_CA_CERTS= NODE_OPTIONS= "$node" --no-opt --no-rehash-snapshot --v8-pool-size=1 "$script" "$host" "$home"
  exit
fi
if [ -n "$node" ] && [ -f "$script" ]; then
  NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec "$node" --no-opt --no-rehash-snapshot --v8-pool-size=1 "$script" "$host" "$home" ${5:+"$5"}
fi
[ -n "$held" ] && { command -v tireless >/dev/null && printf %s "$said" | tireless hook "$host"; exit; }
command -v tireless >/dev/null && exec tireless hook "$host" ${5:+"$5"}
[ "$4" = stays ] && leave

gone='tireless: the plugin is installed, but the program is missing, so no loop continues. In the folder of tireless run npm link, or install its packed file with npm install -g FILE; or remove the plugin.'
case $wake,$(cat) in
  always,*'"prompt":"/ralph'* | always,*'"prompt":"$ralph'* | always,*'"prompt":"/cancel-ralph'* | always,*'"prompt":"$cancel-ralph'* | always,*'"prompt":"/tireless:'* | always,*'"prompt":"$tireless:'*)
    printf '{"decision":"block","reason":"%s"}\n' "$gone"
    ;;
  always,*) printf '{}\n' ;;
  *) printf '{"systemMessage":"%s"}\n' "$gone" ;;
esac
