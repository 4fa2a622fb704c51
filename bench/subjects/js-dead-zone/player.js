// A player for a small text adventure: rooms, things, commands, and a script that is played at once.

const directions = { n: 'north', s: 'south', e: 'east', w: 'west' };

class Emitter {
  constructor() {
    this.listeners = new Map();
  }

  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, []);
    this.listeners.get(name).push(listener);
    return () => this.off(name, listener);
  }

  off(name, listener) {
    const all = this.listeners.get(name) || [];
    this.listeners.set(name, all.filter((other) => other !== listener));
  }

  emit(name, ...values) {
    for (const listener of this.listeners.get(name) || []) listener(...values);
  }
}

class Thing {
  constructor(name, { weight = 1, fixed = false, text = '' } = {}) {
    Object.assign(this, { name, weight, fixed, text });
  }

  describe() {
    return this.text || `You see nothing special about the ${this.name}.`;
  }
}

class Room {
  constructor(id, title) {
    this.id = id;
    this.title = title;
    this.exits = {};
    this.things = [];
  }

  connect(direction, other, isOneWay = false) {
    const opposite = { north: 'south', south: 'north', east: 'west', west: 'east' };
    this.exits[direction] = other;
    if (!isOneWay) other.exits[opposite[direction]] = this;
    return this;
  }

  put(...things) {
    this.things.push(...things);
    return this;
  }

  find(name) {
    return this.things.find((thing) => thing.name === name);
  }
}

function* words(line) {
  for (const word of line.toLowerCase().split(/\s+/)) {
    if (word && !['the', 'a', 'an', 'to'].includes(word)) yield word;
  }
}

function parse(line) {
  const [verb, ...rest] = words(line);
  if (verb in directions) return { verb: 'go', object: directions[verb] };
  if (Object.values(directions).includes(verb)) return { verb: 'go', object: verb };
  return { verb, object: rest.join(' ') };
}

class Game extends Emitter {
  constructor(start) {
    super();
    this.room = start;
    this.carried = [];
    this.moves = 0;
    this.score = 0;
  }

  get load() {
    return this.carried.reduce((sum, thing) => sum + thing.weight, 0);
  }

  go(direction) {
    const next = this.room.exits[direction];
    if (!next) return `You cannot go ${direction || 'nowhere'}.`;
    this.room = next;
    this.emit('entered', next);
    return this.look();
  }

  take(name) {
    const thing = this.room.find(name);
    if (!thing) return `There is no ${name} here.`;
    if (thing.fixed) return `The ${name} does not move.`;
    if (this.load + thing.weight > limits.load) return 'You carry too much.';
    this.room.things = this.room.things.filter((other) => other !== thing);
    this.carried.push(thing);
    this.emit('taken', thing);
    return `Taken: ${name}.`;
  }

  look() {
    const { title, things, exits } = this.room;
    const seen = things.length ? ` Here: ${things.map((thing) => thing.name).join(', ')}.` : '';
    return `${title}.${seen} Exits: ${Object.keys(exits).join(', ')}.`;
  }

  examine(name) {
    const thing = this.room.find(name) || this.carried.find((other) => other.name === name);
    return thing ? thing.describe() : `There is no ${name} here.`;
  }

  inventory() {
    return this.carried.length ? this.carried.map(({ name }) => name).join(', ') : 'You carry nothing.';
  }

  perform(line) {
    const { verb, object } = parse(line);
    this.moves += 1;
    switch (verb) {
      case 'go':
        return this.go(object);
      case 'take':
      case 'get':
        return this.take(object);
      case 'look':
      case 'l':
        return this.look();
      case 'x':
      case 'examine':
        return this.examine(object);
      case 'i':
        return this.inventory();
      default:
        return `I do not know how to ${verb}.`;
    }
  }
}

function build() {
  const hall = new Room('hall', 'A cold hall');
  const tower = new Room('tower', 'The top of the tower');
  const garden = new Room('garden', 'An overgrown garden');
  hall.connect('north', garden).connect('east', tower);
  hall.put(new Thing('lamp', { weight: 2, text: 'It is dusty.' }), new Thing('bench', { fixed: true }));
  garden.put(new Thing('key'), new Thing('anvil', { weight: 40 }));
  return hall;
}

function play(game, script) {
  const lines = [];
  for (const line of script) {
    lines.push(`> ${line}`, game.perform(line));
    if (game.score >= 10) break;
  }
  return lines;
}

const game = new Game(build());
game.on('entered', (room) => {
  game.score += room.id === 'tower' ? 5 : 1;
});
game.on('taken', () => {
  game.score += 2;
});
console.log(play(game, ['look', 'n', 'x key', 's', 'take the lamp', 'east', 'i']).join('\n'));

const limits = { load: 10, moves: 100 };
console.log(game.moves < limits.moves ? 'in time' : 'too late');
