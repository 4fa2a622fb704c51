grammar Recipe;

// A kitchen's own format: recipes with ingredients and steps.
book       : recipe* EOF ;
recipe     : 'recipe' STRING '{' ingredient* step* '}' ;
ingredient : 'need' amount NAME note? ';' ;
amount     : NUMBER UNIT? ;
note       : '(' NAME (',' NAME)* ')' ;
step       : 'step' NUMBER ':' action (',' action)* ';' ;
action     : NAME expr? ;
expr       : expr '*' expr
           | expr '+' expr
           | NUMBER UNIT?
           | NAME
           | '(' expr ')'
           ;

UNIT    : 'g' | 'ml' | 'min' ;
NAME    : [a-z] [a-z_]* ;
NUMBER  : [0-9]+ ;
STRING  : '"' ~["\r\n]* '"' ;
COMMENT : '#' ~[\r\n]* -> skip ;
SPACE   : [ \t\r\n]+ -> skip ;
