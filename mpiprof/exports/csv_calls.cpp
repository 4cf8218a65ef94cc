// Columns: docs/exports.md.
#include <mpiprof/exports/csv.hpp>
#include <mpiprof/exports/event_links.hpp>
#include <mpiprof/exports/event_texts.hpp>
#include <mpiprof/exports/flag_names.hpp>
#include <mpiprof/exports/replace_file.hpp>

namespace mpiprof::inline v1::exports {

namespace {

using traces::event_type;

char const* type_name(event_type type) {
    switch (type) {
    case event_type::call:
        return "call";
    case event_type::repeated:
        return "repeated";
    case event_type::completion:
        return "completion";
    case event_type::phase_begin:
        return "phase_begin";
    case event_type::phase_end:
        break;
    }
    return "phase_end";
}

constexpr char const* columns[] = {
    "rank",       "thread",         "type",         "operation",         "kind",
    "request",    "begin_ns",       "end_ns",       "communicator",      "communicator_name",
    "phase",      "site",           "peer",         "peer_rank",         "root",
    "tag",        "sent",           "received",     "capacity",          "overhead",
    "written",    "read",           "taken_back",   "waited_ns",         "repeats",
    "inside_ns",  "flags",          "partner_rank", "partner_posted_ns", "partner_time_ns",
    "collective", "missing_members"};

class table_of_calls {
  public:
    table_of_calls(run const& from, std::ostream& out)
        : from_{from},
          links_{*from.trace},
          texts_{from, csv_cell},
          table_{out} {}

    void write() {
        for (auto const* const column : columns) table_ << column;
        table_.end_row();
        from_.trace->for_each([this](traces::event const& each) { add(each); });
    }

  private:
    void add(traces::event const& each) {
        auto const& rank = from_.trace->ranks()[each.id.rank];
        table_ << rank.number << rank.threads[each.id.thread].name << type_name(each.type);
        switch (each.type) {
        case event_type::call:
        case event_type::repeated:
            add_call(each);
            break;
        case event_type::completion:
            add_completion(each);
            break;
        case event_type::phase_begin:
        case event_type::phase_end:
            add_phase(each);
        }
        table_.end_row();
    }

    void empty(int cells) {
        for (int i = 0; i < cells; ++i) table_ << "";
    }

    void add_call(traces::event const& each) {
        auto const& record = each.call;
        table_ << name(record.operation) << name(kind_of(record.operation)) << name(record.request);
        table_ << each.begin << each.end;
        add_place(each, record.communicator, record.site);
        add_peer(each, record.communicator, record.peer);
        table_.known(record.root).known(record.tag).known(record.sent).known(record.received);
        table_.known(record.capacity) << record.overhead;
        table_.known(record.written).known(record.read);
        empty(2);
        table_ << each.repeats;
        table_ << (each.type == event_type::repeated ? each.inside : each.end - each.begin);
        table_ << flag_names(record.flags);
        add_links(each.id);
    }

    void add_completion(traces::event const& each) {
        auto const& record = each.completion;
        table_ << name(record.operation) << name(kind_of(record.operation)) << "" << each.begin << each.end;
        add_place(each, record.communicator, record.site);
        add_peer(each, record.communicator, record.peer);
        table_ << "";
        table_.known(record.tag).known(record.sent).known(record.received);
        empty(3);
        table_.known(record.read) << record.taken_back << record.waited;
        empty(2);
        table_ << (record.cancelled ? "cancelled" : "");
        add_links(each.id);
    }

    void add_phase(traces::event const& each) {
        empty(3);
        table_ << each.begin << each.end;
        empty(2);
        table_.cell(texts_.phase(each.phase));
        empty(static_cast<int>(std::size(columns)) - 11);
    }

    void add_place(traces::event const& each, communicator_id communicator, call_site const& site) {
        table_.known(communicator).cell(texts_.communicator(communicator));
        table_.cell(texts_.phase(each.phase)).cell(texts_.site(site));
    }

    void add_peer(traces::event const& each, communicator_id communicator, int peer) {
        table_.known(peer).known(from_.trace->world_rank(communicator, each.id.rank, peer));
    }

    /// The other end of its message, of the first of them if there are several.
    void add_partner(traces::event_id const& id) {
        traces::message_end const* partner = nullptr;
        links_.for_each_part(id, [&](event_links::part const& part) {
            auto const& message = links_.messages()[part.message];
            if (partner == nullptr) partner = part.is_send ? &message.received : &message.sent;
        });
        if (partner == nullptr) return empty(3);
        if (!partner->exists()) {
            for (int i = 0; i < 3; ++i) table_ << "none";
            return;
        }
        table_ << std::int64_t{partner->rank} << partner->posted << partner->time;
    }

    void add_links(traces::event_id const& id) {
        add_partner(id);
        auto const number = links_.collective_of(id);
        table_.known(number);
        if (number < 0) return empty(1);
        table_ << links_.collectives()[static_cast<std::size_t>(number)].missing;
    }

    run const& from_;
    event_links links_;
    event_texts texts_;
    csv_writer table_;
};

void write_csv_calls(run const& from, std::string const& path) {
    replace_text_file(path, [&](std::ostream& out) { table_of_calls{from, out}.write(); });
}

}  // namespace

format const csv_calls{
    "csv-calls",
    "a table of all calls, completions and phases, in the order in which they ended on each thread",
    needs::trace,
    write_csv_calls,
    true,
};

}  // namespace mpiprof::inline v1::exports
