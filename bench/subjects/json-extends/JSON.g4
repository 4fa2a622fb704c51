grammar JSON;

// For Picireny, which brings no grammars along.
json : value EOF ;
value : object | array | STRING | NUMBER | 'true' | 'false' | 'null' ;
object : '{' ( pair ( ',' pair )* )? '}' ;
pair : STRING ':' value ;
array : '[' ( value ( ',' value )* )? ']' ;

STRING : '"' ( ~["\\] | '\\' . )* '"' ;
NUMBER : '-'? [0-9]+ ( '.' [0-9]+ )? ( [eE] [+-]? [0-9]+ )? ;
BLANK : [ \t\r\n]+ -> skip ;
