; Lists.
(define-module (lists) #:export (sum))
(define limit #x1F)

(define (sum items . rest)
  (if (null? items)
      0
      (+ (car items) (sum (cdr items)))))

(define-syntax swap!
  (syntax-rules ()
    ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))

(let loop ((i 0) (acc '()))
  (cond ((>= i limit) (reverse acc))
        ((even? i) => (lambda (x) (loop (+ i 1) acc)))
        (else (loop (+ i 1) (cons i acc)))))

#| a block
   comment |#
(define v #(1 2.5e3 #\a "text \"quoted\"\n" #t))
(display `(a ,limit ,@(list 1 2)))
(call/cc (lambda (k) (k 'done)))
