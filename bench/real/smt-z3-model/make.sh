pip_tool z3-solver 4.8.8.0
{
    definitions 8 60
    cat <<'END'
(declare-const mode RoundingMode)
(declare-const small Float64)
(declare-const large Float64)
(assert (= ((_ to_fp 11 53) mode 1000000000000000000000000000000000000000000.0) (fp.add mode small large) small))
(check-sat)
END
} >fp.smt2
