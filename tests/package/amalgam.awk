# The core as one file: awk -v version=V -f amalgam.awk LICENSE src/core/*.c. Each header of the core stands where it is
# first included, once; the public headers stay files of their own, for programs that use them. Nothing else is changed.

function emit(line) {
  if (line != "" || last != "")
    print line
  last = line
}

function header(name) {
  if (name ~ /^core\/spawnpool/)
    emit("#include \"" substr(name, 6) "\"")
  else
    inline("src/" name)
}

function inline(file,    line, name, status) {
  while ((status = (getline line < file)) > 0) {
    if (line !~ /^ *# *include/)
      emit(line)
    else {
      match(line, /["<][^">]+[">]/)
      name = substr(line, RSTART + 1, RLENGTH - 2)
      if (name in included)
        continue
      included[name] = 1
      if (line ~ /</)
        emit(line)
      else
        header(name)
    }
  }
  if (status < 0) {
    print "amalgam: cannot read " file >"/dev/stderr"
    exit 1
  }
  close(file)
}

function head(license,    line) {
  print "/*"
  print "** spawnpool " version ", all of its core in one file: object pools for games and servers."
  print "**"
  print "** Put this file and spawnpool.h into your program, and compile it as C11 with gcc or clang; a"
  print "** program in C++ links it. It wants nothing but the C library, and -lm. It is made for"
  print "**   -O3 -fno-tree-slp-vectorize -fno-trapping-math -ffp-contract=off"
  print "** of which the first three are speed; the last one keeps a game the same on machines that fuse products with sums."
  print "**"
  while ((getline line < license) > 0)
    print line == "" ? "**" : "** " line
  print "*/"
  print ""
  print "/* Also without the last flag no product is fused with a sum. */"
  print "#if defined(__GNUC__) && !defined(__clang__)"
  print "#pragma GCC optimize(\"fp-contract=off\")"
  print "#endif"
}

BEGIN {
  head(ARGV[1])
  for (i = 2; i < ARGC; i++) {
    emit("")
    emit("/* {== " ARGV[i] " == */")
    emit("")
    inline(ARGV[i])
    emit("")
    emit("/* }== */")
  }
  exit 0
}
