#!/bin/sh
# Prints which parts of Z3 a formula reaches, by the names of its statistics: counters.sh FILE
# Z3 names another binary.
said=$("${Z3:-z3}" -T:5 -st "$1" 2>&1)
echo "counters: $(echo "$said" | grep -oE ':(arith-(branch|conflicts|grobner-calls|nla-lemmas|offset-eqs)|array-(ax1|ax2|exp-ax)|interface-eqs|nlsat-stages|quant-instantiations)' | sort -u | tr -d '\n')"
