// SPDX-License-Identifier: Apache-2.0
//
// A backend in C++17: derive from touchstone::backend and end the file with TOUCHSTONE_BACKEND(your_class). The header
// turns the functions of backend.h into a class whose instances are closed by their destructor, calls into views that
// know the suite's structures, and exceptions into statuses with a note. It needs nothing but backend.h.
//
// A function that throws touchstone::refused ends in TS_REJECTED (of `open`: refused options), touchstone::unsupported
// in TS_UNSUPPORTED, and every other exception in TS_ERROR. what() becomes the note.
#ifndef TOUCHSTONE_HPP
#define TOUCHSTONE_HPP

#include "backends/backend.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace touchstone
{

struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One tensor of a call: a view, valid until the function returns.
class tensor
{
  public:
    explicit tensor(const ts_tensor *t) : t_(t)
    {
    }

    const ts_tensor *raw() const
    {
        return t_;
    }
    bool present() const
    {
        return (t_->given & TS_GIVEN_TENSOR) != 0;
    }
    bool complete() const
    {
        return (t_->given & TS_GIVEN_ALL) == TS_GIVEN_ALL;
    } // no null pointer in it
    ts_dtype dtype() const
    {
        return static_cast<ts_dtype>(t_->dtype);
    }
    std::uint32_t rank() const
    {
        return t_->rank;
    } // may exceed TS_MAX_DIMS in a negative case
    // Sizes and strides of dimension i, which must be below min(rank(), TS_MAX_DIMS), in elements.
    std::uint64_t size(std::uint32_t i) const
    {
        return t_->sizes[i];
    }
    std::uint64_t stride(std::uint32_t i) const
    {
        return t_->strides[i];
    }
    std::uint64_t bytes() const
    {
        return t_->total_bytes;
    }
    // The memory; nullptr if the call is without data. Only outputs may be written.
    template <typename T> T *data() const
    {
        return static_cast<T *>(t_->data);
    }

    // The product of the sizes. False, with *count unchanged, for what is no tensor: a rank above TS_MAX_DIMS, or more
    // than 2^64 - 1 elements.
    bool elements(std::uint64_t *count) const
    {
        std::uint64_t product = 1;
        if (t_->rank > TS_MAX_DIMS)
            return false;
        for (std::uint32_t i = 0; i < t_->rank; ++i) {
            if (t_->sizes[i] != 0 && product > UINT64_MAX / t_->sizes[i])
                return false;
            product *= t_->sizes[i];
        }
        *count = product;
        return true;
    }

    // Do the elements lie behind one another in row-major order? False for a rank above TS_MAX_DIMS.
    bool packed() const
    {
        std::uint64_t stride = 1;
        for (std::uint32_t i = t_->rank; t_->rank <= TS_MAX_DIMS && i-- > 0; stride *= t_->sizes[i])
            if (t_->sizes[i] > 1 && t_->strides[i] != stride)
                return false;
        return t_->rank <= TS_MAX_DIMS;
    }

    // Does the size of dimension i of this output depend on the values of inputs? Then size(i) is the largest, and an
    // accepted call with data reports the shape that it finds and writes the elements packed in it.
    bool data_dependent(std::uint32_t i) const
    {
        return i < 32 && (t_->data_dependent >> i & 1u) != 0;
    }

    // Report the shape of an output that the implementation inferred or found. Without effect where the suite does not
    // ask.
    void report(std::uint32_t rank, const std::uint64_t *sizes) const
    {
        if (!t_->reported || rank > TS_MAX_DIMS)
            return;
        t_->reported->rank = rank;
        for (std::uint32_t i = 0; i < rank; ++i)
            t_->reported->sizes[i] = sizes[i];
    }

  private:
    const ts_tensor *t_;
};

// One call of one operator: a view, valid until the function returns.
class call
{
  public:
    explicit call(const ts_call *c) : c_(c)
    {
    }

    const ts_call *raw() const
    {
        return c_;
    }
    std::string_view op() const
    {
        return c_->op ? c_->op : "";
    }
    std::uint32_t tensors() const
    {
        return c_->tensor_count;
    }
    touchstone::tensor tensor(std::uint32_t i) const
    {
        return touchstone::tensor(ts_call_tensor(c_, i));
    }
    // The attributes: attrs<ts_dml_slice1>(). nullptr if the suite's structure is shorter than T.
    template <typename T> const T *attrs() const
    {
        return c_->attrs_size >= sizeof(T) ? static_cast<const T *>(c_->attrs) : nullptr;
    }
    // Is the attribute of this bit present? has(TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS)
    bool has(std::uint32_t bits) const
    {
        return (c_->attrs_given & bits) == bits;
    }
    bool descriptor_only() const
    {
        return (c_->flags & TS_CALL_DESCRIPTOR_ONLY) != 0;
    }
    ts_level level() const
    {
        return c_->feature_level;
    }
    ts_profile profile() const
    {
        return static_cast<ts_profile>(c_->profile);
    }
    void *token() const
    {
        return c_->token;
    }

  private:
    const ts_call *c_;
};

// The options of the command line. Take each by its name; finish() refuses what is left.
class options
{
  public:
    options(const ts_option *list, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            values_[list[i].key ? list[i].key : ""] = list[i].value ? list[i].value : "";
    }

    std::string take(const std::string &key, const std::string &otherwise = "")
    {
        const auto found = values_.find(key);
        if (found == values_.end())
            return otherwise;
        std::string value = found->second;
        values_.erase(found);
        return value;
    }

    void finish() const
    {
        if (!values_.empty())
            throw refused("unknown option '" + values_.begin()->first + "'");
    }

  private:
    std::map<std::string, std::string> values_;
};

// Copy a string into a member of ts_info, cut to its room.
template <std::size_t N> void set(char (&to)[N], std::string_view from)
{
    const std::size_t length = from.size() < N ? from.size() : N - 1;
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
}

// What you derive from. The constructor gets the options: `explicit mine(touchstone::options &o)`.
class backend
{
  public:
    backend() = default;
    backend(const backend &) = delete;
    backend &operator=(const backend &) = delete;
    virtual ~backend() = default;

    virtual void info(ts_info &i) = 0;

    // Can such calls be expressed? Sizes, data and values of attributes are not known. A token may be stored, which
    // every call of the class has.
    virtual bool query(const call &shape, void **token) = 0;

    // Can the implementation be shown a descriptor that breaks this clause of the operator, such as "BUF-12"? If not,
    // the suite plans no such case.
    virtual bool query_clause(std::string_view op, std::string_view clause)
    {
        (void)op;
        (void)clause;
        return true;
    }

    // Does the implementation accept this descriptor, which may be illegal? TS_OK or TS_REJECTED, or throw. The tensors
    // have no data, and nothing is to be executed. Override it if the implementation can be asked without data; else
    // these calls are unsupported.
    virtual ts_status accepts(const call &c)
    {
        (void)c;
        return TS_UNSUPPORTED;
    }

    // Execute one call, which has data: TS_OK, TS_REJECTED or TS_UNSUPPORTED, or throw.
    virtual ts_status run(const call &c) = 0;

    // Answer a batch. A device backend overrides this to submit all calls at once; those without data, which
    // descriptor_only() tells, are among them.
    virtual ts_status submit(const ts_call *calls, std::size_t n, ts_status *status)
    {
        for (std::size_t i = 0; i < n; ++i, calls = ts_call_next(calls)) {
            const call c(calls);
            status[i] = guard([&] { return c.descriptor_only() ? accepts(c) : run(c); });
        }
        return TS_OK;
    }

    // Tell the suite in one line why something failed.
    void note(const char *text) const
    {
        if (host_ && host_->note)
            host_->note(host_->context, text);
    }
    void attach(const ts_host *host)
    {
        host_ = host;
    }

    // Call f; exceptions become statuses with a note.
    template <typename F> ts_status guard(F f) const noexcept
    {
        return guard_with(host_, f);
    }
    template <typename F> static ts_status guard_with(const ts_host *host, F f) noexcept
    {
        const auto tell = [host](const char *text, ts_status status) {
            if (host && host->note)
                host->note(host->context, text);
            return status;
        };
        try {
            return f();
        } catch (const refused &e) {
            return tell(e.what(), TS_REJECTED);
        } catch (const unsupported &e) {
            return tell(e.what(), TS_UNSUPPORTED);
        } catch (const std::exception &e) {
            return tell(e.what(), TS_ERROR);
        } catch (...) {
            return tell("an exception that is no std::exception", TS_ERROR);
        }
    }

  private:
    const ts_host *host_ = nullptr;
};

// The functions of backend.h for a class.
template <typename T> struct plugin {
    static ts_status open(const ts_host *host, const ts_option *list, std::size_t count, void **self)
    {
        return backend::guard_with(host, [&] {
            options o(list, count);
            auto made = std::make_unique<T>(o);
            o.finish();
            made->attach(host);
            *self = static_cast<backend *>(made.release());
            return TS_OK;
        });
    }
    static void close(void *self)
    {
        delete static_cast<backend *>(self);
    }
    static ts_status info(void *self, ts_info *i)
    {
        backend *b = static_cast<backend *>(self);
        return b->guard([&] {
            b->info(*i);
            return TS_OK;
        });
    }
    static ts_status query(void *self, const ts_call *shape, void **token)
    {
        backend *b = static_cast<backend *>(self);
        const ts_status status = b->guard([&] { return b->query(call(shape), token) ? TS_OK : TS_UNSUPPORTED; });
        return status == TS_OK ? TS_OK : TS_UNSUPPORTED;
    }
    static ts_status query_clause(void *self, const char *op, const char *clause)
    {
        backend *b = static_cast<backend *>(self);
        const ts_status status = b->guard([&] { return b->query_clause(op, clause) ? TS_OK : TS_UNSUPPORTED; });
        return status == TS_OK ? TS_OK : TS_UNSUPPORTED;
    }
    static ts_status submit(void *self, const ts_call *calls, std::size_t n, ts_status *status)
    {
        backend *b = static_cast<backend *>(self);
        return b->guard([&] { return b->submit(calls, n, status); });
    }
    static const ts_backend *get(std::uint32_t abi)
    {
        static const ts_backend functions = {
            sizeof(ts_backend), TS_BACKEND_ABI, open, close, info, query, submit, nullptr, query_clause, nullptr
        };
        return abi == TS_BACKEND_ABI ? &functions : nullptr;
    }
};

} // namespace touchstone

// Export a class as the backend of this library.
#define TOUCHSTONE_BACKEND(type)                                                                                       \
    extern "C" const ts_backend *touchstone_backend(uint32_t abi)                                                      \
    {                                                                                                                  \
        return touchstone::plugin<type>::get(abi);                                                                     \
    }

#endif
