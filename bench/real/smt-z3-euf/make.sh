pip_tool z3-solver 4.11.2.0
{
    printf '(set-option :sat.euf true)\n(set-option :tactic.default_tactic smt)\n'
    definitions 5 40
    cat <<'END'
(define-funs-rec
  ((base () Int)
   (above ((level Int)) Bool))
  (7
   (ite (< level 0) false (above (- level 1)))))
(assert (not (above 5)))
(assert (> base 3))
(check-sat)
END
} >euf.smt2
