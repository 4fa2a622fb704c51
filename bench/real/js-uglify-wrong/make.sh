npm_tool uglify-es 3.3.9
cp "$(package npm_package eventemitter3 4.0.7)/index.js" program.js
weave program.js "'use strict';" <<'END'

function outcome(emitter) {
  var found = 'PASS', value;
  try {
    do {
      value = function () {
        throw new Error('nobody listens');
      }();
      found = 'FAIL';
      value && value.count;
    } while (0);
  } catch (error) {
    emitter.failures = 1;
  }
  return found;
}
END
cat >>program.js <<'END'

var bus = new EventEmitter(), heard = [];
bus.on('tick', function (value) { heard.push(value); });
bus.once('tick', function (value) { heard.push(-value); });
bus.emit('tick', 1);
bus.emit('tick', 2);
console.log(heard.join(), bus.listenerCount('tick'));
console.log(outcome(bus));
END
