# Completion of spawnpool's command line in bash: options, bundled games, and the games in folders. The player lists its
# options, with the kinds of their values, and its games.

_spawnpool() {
  local LC_ALL=C # in Turkish [a-z] has no i
  local player=$1 word=$2 before=$3 value options games i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then return; fi # the game's own arguments
  done
  COMPREPLY=()
  if [[ $before =~ ^--[a-z-]+$ ]]; then
    value=$("$player" --help 2>/dev/null | sed -n "s/^  $before \([^ ][^ ]*\) .*/\1/p")
  fi
  case $before:$value in
    *:FOLDER) compopt -o dirnames; return ;;
    *:FILE*) compopt -o default; return ;;
    init:) compopt -o dirnames; return ;;
    games: | *:?*) return ;;
  esac
  if [[ $word == -* ]]; then
    options=$("$player" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  games=$("$player" games 2>/dev/null | sed 's/ .*//')
  if ((COMP_CWORD == 1)); then games+=$'\n'"init"$'\n'"pack"$'\n'"games"; fi
  COMPREPLY=($(compgen -W "$games" -- "$word"))
  compopt -o plusdirs
  local IFS=$'\n'
  COMPREPLY+=($(compgen -f -X '!*.lua' -- "$word") $(compgen -f -X '!*.zip' -- "$word"))
} &&
  complete -F _spawnpool spawnpool
