# Completion of spawnpool's command line in bash: options, bundled games, and the games in folders. Options and games are
# asked of the player itself.

_spawnpool() {
  local player=$1 word=$2 before=$3 options games i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then return; fi # the game's own arguments
  done
  COMPREPLY=()
  case $before in
    --frames | --seed | --size | --exec | --memory) return ;;
    --screenshot | --stats) compopt -o default; return ;;
    games) return ;;
    init) compopt -o dirnames; return ;;
  esac
  if [[ $word == -* ]]; then
    options=$("$player" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  games=$("$player" games 2>/dev/null | sed 's/ .*//')
  if ((COMP_CWORD == 1)); then games+=$'\n'"init"$'\n'"games"; fi
  COMPREPLY=($(compgen -W "$games" -- "$word"))
  compopt -o plusdirs
  local IFS=$'\n'
  COMPREPLY+=($(compgen -f -X '!*.lua' -- "$word"))
} &&
  complete -F _spawnpool spawnpool
