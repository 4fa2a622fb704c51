"""A warehouse: items on shelves, orders that reserve them, and a nightly sweep."""

KINDS = ("bolt", "nut", "washer", "bracket", "hinge")
PRICES = {"bolt": 12, "nut": 5, "washer": 2, "bracket": 140, "hinge": 220}


class StockError(Exception):
    """Something cannot be taken from the shelves."""


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __add__(self, other):
        return Money(self.cents + other.cents)

    def __mul__(self, count):
        return Money(self.cents * count)

    def __str__(self):
        return str(self.cents // 100) + "." + str(self.cents % 100)


class Shelf:
    def __init__(self, name, room):
        self.name = name
        self.room = room
        self.items = {}

    @property
    def used(self):
        return sum(self.items.values())

    def put(self, kind, count):
        if kind not in KINDS:
            raise ValueError("unknown kind " + kind)
        if self.used + count > self.room:
            raise StockError(self.name + " is full")
        self.items[kind] = self.items.get(kind, 0) + count

    def take(self, kind, count):
        held = self.items.get(kind, 0)
        if held < count:
            raise StockError("only " + str(held) + " of " + kind)
        if held == count:
            del self.items[kind]
        else:
            self.items[kind] = held - count
        return count

    def discard(self, kind, limit):
        """Throws away leftovers that are not worth a box."""
        held = self.items.get(kind, 0)
        if 0 < held <= limit:
            self.take(kind, held)
            return held
        return 0


class Order:
    counter = 0

    def __init__(self, customer):
        Order.counter += 1
        self.number = Order.counter
        self.customer = customer
        self.lines = []
        self.done = False

    def add(self, kind, count):
        self.lines.append((kind, count))
        return self

    def total(self):
        total = Money(0)
        for kind, count in self.lines:
            total = total + Money(PRICES[kind]) * count
        return total


class Warehouse:
    def __init__(self):
        self.shelves = {}
        self.orders = []
        self.log = []

    def shelf(self, name, room=100):
        if name not in self.shelves:
            self.shelves[name] = Shelf(name, room)
        return self.shelves[name]

    def holding(self, kind):
        return [shelf for shelf in self.shelves.values() if shelf.items.get(kind, 0) > 0]

    def fulfil(self, order):
        taken = []
        try:
            for kind, count in order.lines:
                for shelf in self.holding(kind):
                    step = min(count, shelf.items[kind])
                    taken.append((shelf, kind, shelf.take(kind, step)))
                    count -= step
                    if count == 0:
                        break
                if count > 0:
                    raise StockError("short of " + str(count) + " " + kind)
        except StockError as error:
            for shelf, kind, count in taken:
                shelf.put(kind, count)
            self.log.append((order.number, str(error)))
            return False
        order.done = True
        self.log.append((order.number, "done for " + order.customer))
        return True

    def sweep_shelf(self, shelf, limit):
        thrown = 0
        for kind in shelf.items:
            if PRICES[kind] < 100:
                thrown += shelf.discard(kind, limit)
        return thrown

    def sweep(self, limit):
        report = []
        for name, shelf in sorted(self.shelves.items()):
            thrown = self.sweep_shelf(shelf, limit)
            if thrown:
                report.append(name + ": " + str(thrown))
        return report


def fill(warehouse):
    for row, kind in enumerate(KINDS):
        for column in range(3):
            shelf = warehouse.shelf("ABC"[column] + str(row), room=60)
            shelf.put(kind, 10 + 7 * column)
            if column == 2 and row > 0:
                shelf.put(KINDS[row - 1], 4)


def trade(warehouse):
    first = Order("Ada").add("bolt", 20).add("nut", 20)
    second = Order("Ben").add("hinge", 90)
    third = Order("Cleo").add("washer", 12).add("bracket", 3)
    warehouse.orders = [first, second, third]
    for order in warehouse.orders:
        if warehouse.fulfil(order):
            print(order.number, order.total())


def night(warehouse):
    trade(warehouse)
    for entry in warehouse.log:
        print(*entry)
    for line in warehouse.sweep(limit=5):
        print("swept", line)


def main():
    warehouse = Warehouse()
    fill(warehouse)
    night(warehouse)


main()
