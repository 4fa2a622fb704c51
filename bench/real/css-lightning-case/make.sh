npm_tool lightningcss 1.15.0
cp "$(package npm_package purecss 2.1.0)/build/pure.css" .
cat >>pure.css <<'END'

.card-shadow > .card { color: #567; margin: 0 auto; }
:host(:wide) .card { display: flex; padding: 2px; }
.card-shadow .card:hover { color: red; }
END
