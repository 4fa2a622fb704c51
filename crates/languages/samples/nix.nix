# A package.
{ lib, stdenv, fetchurl ? null, ... }@args:

let
  version = "1.0";
  add = a: b: a + b;
  inherit (lib) optional;
in
rec {
  name = "tool-${version}";
  src = ./src;
  path = <nixpkgs>;
  flags = [ "-O2" 1.5 true ] ++ optional (version != "2") "x";
  script = ''
    echo ''${HOME} ${name}
  '';
  nested.value = if version == "1.0" && !false then 1 else -2;
  other = with lib; assert add 1 2 == 3; map (x: x * 2) [ 1 2 ];
  set = { a = 1; } // { "b c" = null; };
  found = args.name or "none";
  has = set ? a;
  meta = { inherit version; };
}
