#include <mpiprof/preload/frame_size.hpp>

#ifdef __x86_64__

#include <cstring>

// Of the unwinder's interface, but not in its header.
struct dwarf_eh_bases {
    void* text;
    void* data;
    void* function;
};
extern "C" void const* _Unwind_Find_FDE(void* address, dwarf_eh_bases* bases);

namespace mpiprof::inline v1::preload::detail {

namespace {

/// Reads the encodings of DWARF, one after the other; what lies past the end reads as 0.
class dwarf_reader {
  public:
    dwarf_reader(unsigned char const* from, unsigned char const* end) noexcept : from_{from}, end_{end} {}

    bool at_end() const noexcept { return from_ >= end_; }
    unsigned char const* position() const noexcept { return from_; }

    template <class Number>
    Number fixed() noexcept {
        Number value{};
        if (static_cast<std::size_t>(end_ - from_) < sizeof value) {
            from_ = end_;
            return value;
        }
        std::memcpy(&value, from_, sizeof value);
        from_ += sizeof value;
        return value;
    }
    std::uint8_t byte() noexcept { return fixed<std::uint8_t>(); }

    std::uint64_t unsigned_number() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; !at_end(); shift += 7) {
            auto const part = byte();
            if (shift < 64) value |= std::uint64_t{part & 0x7fU} << shift;
            if (part < 0x80) break;
        }
        return value;
    }
    std::int64_t signed_number() noexcept {
        auto const* const begin = from_;
        auto const value = unsigned_number();
        auto const bits = 7 * static_cast<unsigned>(from_ - begin);
        bool const negative = from_ > begin && (from_[-1] & 0x40) != 0 && bits < 64;
        return static_cast<std::int64_t>(negative ? value | ~std::uint64_t{0} << bits : value);
    }

    void skip(std::uint64_t length) noexcept {
        from_ += length < static_cast<std::uint64_t>(end_ - from_) ? static_cast<std::ptrdiff_t>(length)
                                                                   : end_ - from_;
    }
    void skip_text() noexcept {
        while (byte() != 0 && !at_end()) {
        }
    }
    /// An address in one of the encodings of exception tables.
    void skip_address(std::uint8_t encoding) noexcept {
        switch (encoding & 0x0f) {
        case 0x01:
        case 0x09:
            unsigned_number();
            return;
        case 0x02:
        case 0x0a:
            return skip(2);
        case 0x03:
        case 0x0b:
            return skip(4);
        default:
            return skip(8);
        }
    }

  private:
    unsigned char const* from_;
    unsigned char const* end_;
};

/// What all functions of one compilation have in common.
struct common_information {
    std::uint64_t code_alignment = 1;
    std::uint8_t address_encoding = 0;
    bool has_augmentation = false;
    dwarf_reader instructions{nullptr, nullptr};
};

/// An entry: its length, then that many bytes. Entries of 4 GiB and more are not read.
dwarf_reader entry_at(unsigned char const* place) noexcept {
    std::uint32_t length = 0;
    std::memcpy(&length, place, sizeof length);
    if (length == 0xffffffff) length = 0;
    return {place + sizeof length, place + sizeof length + length};
}

common_information read_common(unsigned char const* place) noexcept {
    common_information common;
    auto entry = entry_at(place);
    entry.skip(4);
    auto const version = entry.byte();
    auto const* augmentation = reinterpret_cast<char const*>(entry.position());
    entry.skip_text();
    common.code_alignment = entry.unsigned_number();
    entry.signed_number();
    if (version == 1) entry.skip(1);
    else entry.unsigned_number();
    common.instructions = entry;
    if (*augmentation != 'z') return common;
    common.has_augmentation = true;
    auto const length = entry.unsigned_number();
    common.instructions = entry;
    common.instructions.skip(length);
    for (++augmentation; *augmentation != '\0'; ++augmentation) {
        if (*augmentation == 'R') common.address_encoding = entry.byte();
        else if (*augmentation == 'L') entry.skip(1);
        else if (*augmentation == 'P') entry.skip_address(entry.byte());
    }
    return common;
}

/// Where the frame of a function ends, as one goes through its instructions.
class frame_end {
  public:
    explicit frame_end(std::uint64_t code_alignment) noexcept : code_alignment_{code_alignment} {}

    /// Goes on until the code has come `distance` bytes far.
    void follow(dwarf_reader instructions, std::uint64_t distance) noexcept {
        while (!instructions.at_end() && come_ <= distance) follow_one(instructions);
    }

    /// From the stack pointer; 0 where it is not counted from there.
    std::size_t from_stack_pointer() const noexcept {
        constexpr std::uint64_t stack_pointer = 7;
        constexpr std::uint64_t most = 1 << 24;
        bool const good = now_.known && now_.base == stack_pointer && now_.offset % 8 == 0 &&
                          now_.offset > 0 && now_.offset <= most;
        return good ? static_cast<std::size_t>(now_.offset) : 0;
    }

  private:
    struct rule {
        std::uint64_t base = 0;
        std::uint64_t offset = 0;
        bool known = false;
    };

    void advance(std::uint64_t units) noexcept { come_ += units * code_alignment_; }

    void follow_one(dwarf_reader& from) noexcept {
        auto const code = from.byte();
        auto const low = static_cast<std::uint8_t>(code & 0x3f);
        switch (code >> 6) {
        case 1:  // advance_loc
            return advance(low);
        case 2:  // offset
            from.unsigned_number();
            return;
        case 3:  // restore
            return;
        default:
            return follow_long(low, from);
        }
    }

    void follow_long(std::uint8_t code, dwarf_reader& from) noexcept {
        switch (code) {
        case 0x00:  // nop
            return;
        case 0x02:  // advance_loc1, 2, 4
            return advance(from.byte());
        case 0x03:
            return advance(from.fixed<std::uint16_t>());
        case 0x04:
            return advance(from.fixed<std::uint32_t>());
        case 0x0a:  // remember_state
            if (depth_ < most_remembered) remembered_[depth_] = now_;
            ++depth_;
            return;
        case 0x0b:  // restore_state
            if (depth_ > 0) --depth_;
            now_ = depth_ < most_remembered ? remembered_[depth_] : rule{};
            return;
        case 0x0c: {  // def_cfa
            auto const base = from.unsigned_number();
            now_ = {base, from.unsigned_number(), true};
            return;
        }
        case 0x0d:  // def_cfa_register
            now_.base = from.unsigned_number();
            return;
        case 0x0e:  // def_cfa_offset
            now_.offset = from.unsigned_number();
            return;
        default:
            return skip_rule(code, from);
        }
    }

    /// What tells where a register was saved does not matter here.
    void skip_rule(std::uint8_t code, dwarf_reader& from) noexcept {
        switch (code) {
        case 0x05:  // offset_extended
        case 0x09:  // register
        case 0x11:  // offset_extended_sf: numbers of both kinds are as long
        case 0x14:  // val_offset
        case 0x15:  // val_offset_sf
        case 0x2f:  // GNU_negative_offset_extended
            from.unsigned_number();
            from.unsigned_number();
            return;
        case 0x06:  // restore_extended
        case 0x07:  // undefined
        case 0x08:  // same_value
        case 0x2e:  // GNU_args_size
            from.unsigned_number();
            return;
        case 0x10:  // expression
        case 0x16:  // val_expression
            from.unsigned_number();
            return from.skip(from.unsigned_number());
        case 0x0f:  // def_cfa_expression
            now_.known = false;
            return from.skip(from.unsigned_number());
        default:  // def_cfa_sf, def_cfa_offset_sf and whatever is not known: nothing is sure any more
            now_.known = false;
            return from.skip(UINT64_MAX);
        }
    }

    static constexpr std::size_t most_remembered = 8;

    std::uint64_t code_alignment_;
    std::uint64_t come_ = 0;
    rule now_;
    rule remembered_[most_remembered];
    std::size_t depth_ = 0;
};

}  // namespace

std::size_t constant_frame_size(std::uintptr_t return_address) noexcept {
    // The call itself, since what follows it may be another function.
    auto const address = return_address - 1;
    dwarf_eh_bases bases{};
    auto const* const place =
        static_cast<unsigned char const*>(_Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases));
    if (place == nullptr) return 0;
    auto entry = entry_at(place);
    auto const* const field = entry.position();
    auto const common = read_common(field - entry.fixed<std::int32_t>());
    // The function's begin, which is known, and its length, which is given without being shifted.
    entry.skip_address(common.address_encoding);
    entry.skip_address(common.address_encoding & 0x0f);
    if (common.has_augmentation) entry.skip(entry.unsigned_number());

    frame_end end{common.code_alignment};
    end.follow(common.instructions, 0);
    end.follow(entry, address - reinterpret_cast<std::uintptr_t>(bases.function));
    return end.from_stack_pointer();
}

}  // namespace mpiprof::inline v1::preload::detail

#else

namespace mpiprof::inline v1::preload::detail {

std::size_t constant_frame_size(std::uintptr_t) noexcept { return 0; }

}  // namespace mpiprof::inline v1::preload::detail

#endif
