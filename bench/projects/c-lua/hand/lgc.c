struct A { int a, b; };
f() { (struct A *)((char *)({ 1; }) - (char *)&((struct A *)0)->b); }
