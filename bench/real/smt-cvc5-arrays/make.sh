need cvc5 cvc5
{
    printf '(set-logic ALL)\n'
    definitions 4 240
    cat <<'END'
(declare-const switch Bool)
(declare-const table (Array Bool (Array Bool Bool)))
(define-fun row () (Array Bool Bool) (select table false))
(define-fun chosen () Bool (select row switch))
(define-fun below () Bool (>= (- 1.0) 0.0))
(define-fun changed () (Array Bool (Array Bool Bool)) (store table false (select table (select row chosen))))
(define-fun place () Bool (select (store row switch (select row chosen)) below))
(define-fun weight () Real (ite (= (select table true) (select table (select (select table true) false))) 0.0 1.0))
(assert (distinct row (store row false true) (select table chosen) (select changed place)))
(check-sat)
(check-sat-assuming ((= (_ -zero 8 24) (ite (>= 0.0 weight) (_ -zero 8 24) (fp.neg (_ -zero 8 24))))))
END
} >arrays.smt2
