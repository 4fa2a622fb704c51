grammar JSON;

// For Picireny, which brings no grammars along.
json : value EOF ;
value : members | elements | STRING | NUMBER | 'true' | 'false' | 'null' ;
members : '{' ( pair ( ',' pair )* )? '}' ;
pair : STRING ':' value ;
elements : '[' ( value ( ',' value )* )? ']' ;

STRING : '"' ( ~["\\] | '\\' . )* '"' ;
NUMBER : '-'? [0-9]+ ( '.' [0-9]+ )? ( [eE] [+-]? [0-9]+ )? ;
BLANK : [ \t\r\n]+ -> skip ;
