// Interesting: the program ends with a constant that is used before its declaration, at least two calls deep.
'use strict';
const fs = require('fs');
const vm = require('vm');

const source = fs.readFileSync('player.js', 'utf8');
let interesting = false;
try {
  const quiet = () => {};
  vm.runInNewContext(source, { console: { log: quiet } }, { filename: 'player.js', timeout: 500 });
} catch (error) {
  const says = error && String(error.message);
  const depth = error && String(error.stack).split('\n').filter((line) => /^ +at .*player\.js:\d+:\d+/.test(line)).length;
  interesting = /^Cannot access '\w+' before initialization$/.test(says) && depth >= 3;
}
process.exit(interesting ? 0 : 1);
