need clang++-14 clang-14
need g++-12 g++-12
cat >woven.cpp <<'END'
#include <variant>

namespace meter {

struct reading { std::variant<int, double> value; char unit; };

template <class Result> struct maker {
    using result = Result;
    Result (*call)();
    explicit maker(Result (*function)()) : call(function) {}
};

inline double amount(const reading &one)
{
    return std::visit([](auto number) { return double(number); }, one.value);
}

inline auto make_total()
{
    return [total = 0.0](auto step) mutable {
        total += sizeof step;
        return total;
    };
}

using total_type = decltype(maker{make_total})::result;

template <> auto total_type::operator()(reading next)
{
    total += amount(next);
    return total;
}

} // namespace meter

int main()
{
    auto total = meter::make_total();
    return int(total(3) + meter::amount({2, 'm'}));
}
END
clang++-14 -std=c++17 -E -P woven.cpp -o small.cpp
