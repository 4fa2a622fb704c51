need cvc4 cvc4
{
    printf '(set-option :produce-unsat-cores true)\n(set-logic ALL)\n'
    definitions 3 80
    cat <<'END'
(declare-const first Bool)
(declare-const second Bool)
(declare-const third Bool)
(declare-const table (Array Bool Int))
(assert (< 0 (select (store table first 0) (= first third))))
(assert second)
(assert (distinct third (= first second third)))
(check-sat)
(get-unsat-core)
END
} >core.smt2
