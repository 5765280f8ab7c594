// A backend in C++: replace library_copy by calls of your library. PREFIX/share/touchstone/docs/backends.md explains
// every part; `touchstone probe ./build/mine.so` says whether the contract is kept.
//
// `touchstone run -b ./build/mine.so` fails no case before you change anything. It ends as incomplete (status 2),
// because `check` below answers TS_UNSUPPORTED to tensors that are not packed; where your library knows strides, remove
// that line.
#include "backends/touchstone.hpp"

#include <cstring>
#include <string_view>

namespace
{

// The library under test: one function on host pointers.
void library_copy(float *to, const float *from, std::size_t n)
{
    std::memcpy(to, from, n * sizeof *to);
}

class mine : public touchstone::backend
{
  public:
    // Open the device or load the library here; throw if that fails. Take options by their names: o.take("device").
    explicit mine(touchstone::options &)
    {
    }

    void info(ts_info &i) override
    {
        i.highest_level = TS_LEVEL_6_4;
        i.preferred_batch = 1;
        touchstone::set(i.name, "mine");
        touchstone::set(i.vendor, "me");
        touchstone::set(i.version, "1");
    }

    bool query(const touchstone::call &shape, void **) override
    {
        if (shape.op() != "dml.element_wise_identity")
            return false;
        for (std::uint32_t i = 0; i < shape.tensors(); ++i)
            if (shape.tensor(i).dtype() != TS_FLOAT32)
                return false;
        return true;
    }

    // What library_copy has no place for: it takes no flags, no owner and no alignment, so it cannot refuse wrong ones,
    // and the suite plans no case that breaks these rules. `touchstone ledger OPERATOR` has them.
    bool query_clause(std::string_view, std::string_view clause) override
    {
        return clause != "BUF-03" && clause != "BUF-04" && clause != "BUF-14";
    }

    // Calls without data: whether the library accepts the descriptor. If yours cannot be asked without data, remove
    // this function; the calls are unsupported then.
    ts_status accepts(const touchstone::call &c) override
    {
        std::uint64_t elements = 0;
        return check(c, &elements);
    }

    ts_status run(const touchstone::call &c) override
    {
        std::uint64_t elements = 0;
        const ts_status status = check(c, &elements);
        if (status == TS_OK)
            library_copy(c.tensor(1).data<float>(), c.tensor(0).data<float>(), static_cast<std::size_t>(elements));
        return status;
    }

  private:
    // What the library would check itself, if it were more than memcpy.
    static ts_status check(const touchstone::call &c, std::uint64_t *elements)
    {
        const touchstone::tensor in = c.tensor(0), out = c.tensor(1);
        std::uint64_t written = 0;
        if (!legal(in, elements) || !legal(out, &written) || !same_sizes(in, out))
            return TS_REJECTED;
        if (!in.packed() || !out.packed())
            return TS_UNSUPPORTED; // `query` does not know strides
        if (in.bytes() / sizeof(float) < *elements || out.bytes() / sizeof(float) < *elements)
            return TS_REJECTED;
        return TS_OK;
    }

    static bool legal(const touchstone::tensor &t, std::uint64_t *elements)
    {
        if (!t.complete() || t.dtype() != TS_FLOAT32 || t.rank() < 1 || t.rank() > 8)
            return false;
        for (std::uint32_t i = 0; i < t.rank(); ++i)
            if (t.size(i) < 1 || t.size(i) > UINT32_MAX)
                return false;
        return t.elements(elements) && *elements <= UINT32_MAX;
    }

    static bool same_sizes(const touchstone::tensor &a, const touchstone::tensor &b)
    {
        if (a.rank() != b.rank())
            return false;
        for (std::uint32_t i = 0; i < a.rank(); ++i)
            if (a.size(i) != b.size(i))
                return false;
        return true;
    }
};

} // namespace

TOUCHSTONE_BACKEND(mine)
