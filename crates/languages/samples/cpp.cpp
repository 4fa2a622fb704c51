// Shapes, templates and lambdas.
#include <memory>
#include <vector>

namespace shapes::flat {
template <typename T, int N = 2>
concept Number = requires(T a) { a + a; };

class Shape {
public:
    explicit Shape(int sides) : sides_{sides} {}
    virtual ~Shape() = default;
    virtual double area() const noexcept = 0;
    Shape(const Shape &) = delete;
    bool operator==(const Shape &other) const { return sides_ == other.sides_; }

protected:
    int sides_ = 0;
};

template <class T>
struct Square final : public Shape {
    using value_type = T;
    Square(T side) : Shape(4), side(side) {}
    double area() const noexcept override { return static_cast<double>(side) * side; }
    T side;
};
enum class Mode : unsigned char { Fast, Slow };
} // namespace shapes::flat

template <typename... Args>
constexpr auto sum(Args &&...args) -> int { return (args + ... + 0); }

int main()
{
    using namespace shapes::flat;
    std::vector<std::unique_ptr<Shape>> all;
    all.push_back(std::make_unique<Square<int>>(3));
    auto total = [&all, scale = 2.0](auto extra) mutable -> double {
        double result = extra;
        for (const auto &shape : all)
            result += shape->area() * scale;
        return result;
    };
    try {
        if (auto value = total(1); value > 10'000)
            throw std::runtime_error(R"(too "large")");
    } catch (const std::exception &error) {
        return sum(1, 2, 3);
    } catch (...) {
    }
    int *numbers = new int[4]{1, 2};
    delete[] numbers;
    static_assert(sizeof(int) >= 2, "small");
    return nullptr == numbers ? 0b101 : 0;
}
