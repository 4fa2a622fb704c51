need cppcheck cppcheck
need g++-12 g++-12
npm=$(package npm_package snappy 6.3.5)/deps/snappy
python3 - "$npm" >snappy.cpp <<'END'
"""Prints snappy.cc with the package's own headers in place of their includes, each once."""
import pathlib, re, sys
root, seen = pathlib.Path(sys.argv[1]), set()
def inline(path):
    for line in path.read_text().splitlines():
        name = re.match(r'\s*#include "(.*)"', line)
        found = name and sorted(root.glob("linux/generic/" + name[1])) + sorted(root.glob("snappy-*/" + name[1]))
        if not found:
            print(line)
        elif found[0] not in seen:
            seen.add(found[0])
            inline(found[0])
inline(next(root.glob("snappy-*/snappy.cc")))
print("""
template <class T> struct Slot {};
template <typename T> T Fresh() { return T(); }
template <typename Small, typename Large>
int Connect(Small *from, Large *to) {
  Slot<decltype(true ? Fresh<Small>() : Fresh<Large>())> narrow;
  Slot<decltype(false ? Fresh<Small>() : Fresh<Large>())> wide;
  return sizeof narrow + sizeof wide + *from - *to;
}
int Joined() {
  char one = 1;
  int other = 2;
  return Connect<char, int>(&one, &other);
}""")
END
