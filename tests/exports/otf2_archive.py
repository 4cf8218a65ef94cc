"""An OTF2 archive as others read it: python3-otf2 for its content, otf2-print for what it complains of."""

import collections
import subprocess

import otf2
from otf2 import events

# In python3-otf2 3.0.2 an intercommunicator has the fields of a communicator before its own, though no
# archive has them: its readers then take one group's number for its parent's.
otf2.definitions.InterComm._fields = otf2.definitions.InterComm._fields[:1] + otf2.definitions.InterComm._fields[4:]

UNDEFINED = 2**32 - 1


class Archive:
    """All of a small archive."""

    def __init__(self, folder):
        with otf2.reader.open(f"{folder}/traces.otf2") as trace:
            self.definitions = trace.definitions
            self.clock = trace.definitions.clock_properties
            self.locations = {each._ref: each for each in trace.definitions.locations}
            self.communicators = {each.name: each for each in trace.definitions.comms}
            self.events = collections.defaultdict(list)
            for location, event in trace.events:
                self.events[location._ref].append(event)

    def of(self, kind, location=None):
        """The events of one type, of one location or of all."""
        chosen = self.events.values() if location is None else [self.events[location]]
        return [event for events in chosen for event in events if isinstance(event, kind)]

    def counts(self):
        return dict(collections.Counter(type(event).__name__ for events in self.events.values() for event in events))

    def regions(self, location):
        """(name, begin, end, depth) of all that is entered and left, by begin; fails if it does not nest."""
        entered, found = [], []
        for event in self.events[location]:
            if isinstance(event, events.Enter):
                entered.append((event.region, event.time, len(found)))
                found.append(None)
            elif isinstance(event, events.Leave):
                region, begin, place = entered.pop()
                assert region is event.region, (region, event)
                found[place] = (region.name, begin, event.time, len(entered))
        assert not entered, entered
        return found

    def attribute(self, event, name):
        return next((value for key, value in (event.attributes or {}).items() if key.name == name), None)

    def world_rank(self, communicator, location, rank):
        """Rank in the world of a rank that an event at a location names."""
        world = location.group._ref
        if isinstance(communicator, otf2.definitions.InterComm):
            groups = [communicator.groupA, communicator.groupB]
            [group] = [each for each in groups if world not in [member.group._ref for member in each.members]]
        else:
            group = communicator.group
        if group.group_type == otf2.GroupType.COMM_SELF:
            assert rank == 0, rank
            return world
        return group.members[rank].group._ref

    def messages(self):
        """Sends and receives matched in order: ({(communicator, from, to, tag): [(sent, received bytes)]},
        sends without a receive, receives without a send)."""
        sent, received = collections.defaultdict(list), collections.defaultdict(list)
        requested = {}
        for number, its in self.events.items():
            location = self.locations[number]
            here = location.group._ref
            cancelled = {(here, each.request_id) for each in its if isinstance(each, events.MpiRequestCancelled)}
            for event in its:
                if isinstance(event, events.MpiIrecvRequest):
                    requested[here, event.request_id] = event.time
                if isinstance(event, (events.MpiSend, events.MpiIsend)):
                    if (here, getattr(event, "request_id", None)) in cancelled:
                        continue
                    there = self.world_rank(event.communicator, location, event.receiver)
                    sent[event.communicator._ref, here, there, event.msg_tag].append((event.time, event.msg_length))
                if isinstance(event, (events.MpiRecv, events.MpiIrecv)):
                    there = self.world_rank(event.communicator, location, event.sender)
                    posted = requested[here, event.request_id] if isinstance(event, events.MpiIrecv) else event.time
                    received[event.communicator._ref, there, here, event.msg_tag].append((posted, event.msg_length))
        matched, sends, receives = {}, [], []
        for key in {*sent, *received}:
            its_sends, its_receives = sorted(sent[key]), sorted(received[key])
            pairs = list(zip(its_sends, its_receives))
            matched[key] = [(one[1], other[1]) for one, other in pairs]
            sends += [(key, *each) for each in its_sends[len(pairs):]]
            receives += [(key, *each) for each in its_receives[len(pairs):]]
        return matched, sends, receives

    def check(self):
        """What holds of every archive."""
        first = self.clock.global_offset
        last = first + self.clock.trace_length
        assert self.clock.timer_resolution == 10**9
        for number, location in self.locations.items():
            its = self.events[number]
            times = [event.time for event in its]
            assert times == sorted(times), f"location {number} steps back"
            assert all(first <= time <= last for time in times), (number, first, last)
            assert len(its) == location.number_of_events, location
            self.regions(number)
            self.check_inside(its)
        for rank in {location.group._ref for location in self.locations.values()}:
            self.check_requests([event for number, its in self.events.items() for event in its
                                 if self.locations[number].group._ref == rank])

    @staticmethod
    def check_inside(its):
        """Messages and collectives are in the calls that make them."""
        entered, collective = [], None
        for event in its:
            if isinstance(event, events.Enter):
                entered.append(event.region.name)
            elif isinstance(event, events.Leave):
                entered.pop()
            else:
                assert entered and entered[-1].startswith("MPI_"), (entered, event)
            if isinstance(event, events.MpiCollectiveBegin):
                assert collective is None
                collective = len(entered)
            if isinstance(event, events.MpiCollectiveEnd):
                assert collective == len(entered)
                collective = None
        assert collective is None

    @staticmethod
    def check_requests(its):
        """Each request of a process is posted once, and then completes once, or never."""
        posted, completed = {}, set()
        its = sorted(its, key=lambda event: event.time)
        for event in its:
            number = getattr(event, "request_id", None)
            if isinstance(event, (events.MpiIsend, events.MpiIrecvRequest, events.NonBlockingCollectiveRequest)):
                assert number not in posted, event
                posted[number] = type(event)
            elif isinstance(event, (events.MpiIsendComplete, events.MpiIrecv, events.NonBlockingCollectiveComplete,
                                    events.MpiRequestCancelled)):
                assert number in posted and number not in completed, event
                completed.add(number)
                expected = {events.MpiIsendComplete: events.MpiIsend, events.MpiIrecv: events.MpiIrecvRequest,
                            events.NonBlockingCollectiveComplete: events.NonBlockingCollectiveRequest}
                assert expected.get(type(event), posted[number]) is posted[number], event


def accepted_by_tools(folder):
    """What otf2-print and otf2-marker say of an archive on standard error, and their exit status; nothing
    and 0 if they like it."""
    anchor = f"{folder}/traces.otf2"
    said = []
    for command in (["otf2-print", "-A", "-Werror", anchor], ["otf2-print", "-G", "-Werror", anchor],
                    ["otf2-print", "--silent", "-Werror", anchor], ["otf2-marker", anchor]):
        result = subprocess.run(command, capture_output=True, timeout=60)
        said.append((result.returncode, result.stderr))
    return said
