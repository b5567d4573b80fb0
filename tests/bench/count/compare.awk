# awk -f compare.awk KEPT COUNTED: holds instruction counts against those that are kept. Counts of another environment say
# nothing: that is told, and is no failure. Exit status 1 when a path became dearer by more than TOLERANCE percent, or is
# not kept at all.

BEGIN { TOLERANCE = 4 }
/^#/ || NF == 0 { next }
/^environment:/ {
  if (FILENAME == ARGV[1]) block = $0
  else wanted = $0
  next
}
FILENAME == ARGV[1] { kept[block, $1] = $2; blocks[block] = 1; next }
!(wanted in blocks) {
  print "count: nothing is kept for this " wanted
  print "count: instructions are not compared; make bench-count RENEW=1 keeps them"
  told = 1
  exit 0
}
!((wanted, $1) in kept) {
  printf "count: %s: nothing is kept; make bench-count RENEW=1 keeps what is counted\n", $1
  bad = 1
  next
}
{
  was = kept[wanted, $1]
  change = 100 * ($2 - was) / was
  if (change > TOLERANCE) {
    printf "count: %s takes %.1f instructions, %.1f before: %+.1f %%, %d %% at most\n", $1, $2, was, change, TOLERANCE
    bad = 1
  } else if (change < -TOLERANCE) {
    printf "count: %s takes %.1f instructions, %.1f before: make bench-count RENEW=1 keeps the gain\n", $1, $2, was
  }
  paths++
}
END {
  if (!told && !bad) printf "count: %d paths, none dearer than before\n", paths
  exit bad
}
