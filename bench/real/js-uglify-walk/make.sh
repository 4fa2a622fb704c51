npm_tool uglify-es 3.3.9
cp "$(package npm_package eventemitter3 4.0.7)/index.js" emitter.js
weave emitter.js "'use strict';" <<'END'

function drain() {
  var step = function () {
    var drain = drain.next;
  };
  while (step());
}
END
