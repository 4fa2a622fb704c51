// Shapes on a canvas, written out by visitors. No headers, so that every test is quick.

namespace text {

struct length {
    unsigned long value;
    explicit length(unsigned long v) : value(v) {}
};

class buffer {
public:
    buffer() : used(0) {}
    buffer &put(char c)
    {
        if (used < sizeof data)
            data[used++] = c;
        return *this;
    }
    buffer &put(const char *s)
    {
        while (*s)
            put(*s++);
        return *this;
    }
    buffer &put(long number)
    {
        if (number < 0)
            return put('-').put(-number);
        if (number >= 10)
            put(number / 10);
        return put(static_cast<char>('0' + number % 10));
    }
    length size() const { return length(used); }

private:
    char data[256];
    unsigned long used;
};

} // namespace text

namespace geometry {

template <typename T>
struct point {
    T x, y;
    point(T x, T y) : x(x), y(y) {}
    point operator+(const point &other) const { return point(x + other.x, y + other.y); }
    bool operator==(const point &other) const { return x == other.x && y == other.y; }
};

template <typename T>
struct box {
    point<T> low, high;
    T width() const { return high.x - low.x; }
    T height() const { return high.y - low.y; }
    bool contains(const point<T> &p) const { return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y; }
};

class angle {
public:
    explicit angle(double degrees) : degrees(degrees) {}
    operator int() const { return static_cast<int>(degrees); }
    operator unsigned() const { return static_cast<unsigned>(degrees < 0 ? degrees + 360 : degrees); }

private:
    double degrees;
};

class ratio {
public:
    ratio(long top, long bottom) : top(top), bottom(bottom) {}
    operator double() const { return static_cast<double>(top) / static_cast<double>(bottom); }

private:
    long top, bottom;
};

} // namespace geometry

namespace shapes {

using coordinate = geometry::point<long>;

struct visitor;

struct shape {
    virtual ~shape() {}
    virtual void accept(visitor &) const = 0;
    virtual geometry::box<long> bounds() const = 0;
};

struct circle : shape {
    coordinate centre;
    long radius;
    circle(coordinate c, long r) : centre(c), radius(r) {}
    void accept(visitor &) const override;
    geometry::box<long> bounds() const override
    {
        return {coordinate(centre.x - radius, centre.y - radius), coordinate(centre.x + radius, centre.y + radius)};
    }
};

struct arc : circle {
    geometry::angle from, to;
    arc(coordinate c, long r, geometry::angle from, geometry::angle to) : circle(c, r), from(from), to(to) {}
    void accept(visitor &) const override;
};

struct line : shape {
    coordinate from, to;
    line(coordinate a, coordinate b) : from(a), to(b) {}
    void accept(visitor &) const override;
    geometry::box<long> bounds() const override { return {from, to}; }
};

struct visitor {
    virtual void visit(const circle &) = 0;
    virtual void visit(const arc &) = 0;
    virtual void visit(const line &) = 0;
};

void circle::accept(visitor &v) const { v.visit(*this); }
void arc::accept(visitor &v) const { v.visit(*this); }
void line::accept(visitor &v) const { v.visit(*this); }

} // namespace shapes

namespace output {

void encode(text::buffer &to, long value) { to.put(value); }
void encode(text::buffer &to, double value) { to.put(static_cast<long>(value * 100)).put('%'); }
void encode(text::buffer &to, const char *value) { to.put('"').put(value).put('"'); }

template <typename T>
void encode(text::buffer &to, const geometry::point<T> &p)
{
    encode(to, p.x);
    to.put(' ');
    encode(to, p.y);
}

template <typename T>
struct attribute {
    const char *name;
    const T &value;
    void write(text::buffer &to) const
    {
        to.put(' ').put(name).put('=');
        encode(to, value);
    }
};

template <typename... Ts>
struct element {
    text::buffer &to;
    explicit element(text::buffer &to, const char *name) : to(to) { to.put('<').put(name); }
    ~element() { to.put("/>"); }

    template <typename T>
    element &with(const char *name, const T &value)
    {
        attribute<T>{name, value}.write(to);
        return *this;
    }
};

class writer : public shapes::visitor {
public:
    explicit writer(text::buffer &to) : to(to), scale(1, 2) {}
    void visit(const shapes::circle &c) override
    {
        element<>(to, "circle").with("centre", c.centre).with("radius", c.radius).with("scale", scale);
    }
    void visit(const shapes::arc &a) override
    {
        element<>(to, "arc").with("centre", a.centre).with("radius", a.radius).with("from", a.from);
    }
    void visit(const shapes::line &l) override { element<>(to, "line").with("from", l.from).with("to", l.to); }

private:
    text::buffer &to;
    double scale_of(const geometry::ratio &r) const { return r; }
    geometry::ratio scale;
};

} // namespace output

template <typename T, unsigned long N>
unsigned long count(T *const (&)[N])
{
    return N;
}

int main()
{
    using shapes::coordinate;
    text::buffer buffer;
    output::writer writer(buffer);
    shapes::circle circle(coordinate(3, 4), 5);
    shapes::line line(coordinate(0, 0), coordinate(9, 9));
    const shapes::shape *all[] = {&circle, &line};
    for (const shapes::shape *shape : all)
        shape->accept(writer);
    return buffer.size().value > count(all) ? 0 : 1;
}
