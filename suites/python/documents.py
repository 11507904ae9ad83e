"""Documents by google-cloud-firestore. The answers of Google's emulator are in documents.json."""

import asyncio
import datetime
import math
import threading

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, FieldFilter, Or
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector

from harness import Cases

cases = Cases()
db = firestore.Client()
kinds = db.collection("kinds")
query = db.collection("query")
WHEN = datetime.datetime(2024, 2, 3, 4, 5, 6, 789123, tzinfo=datetime.timezone.utc)


@cases("every kind of value comes back")
def _():
    at = kinds.document("all")
    at.set(
        {
            "integer": 1, "largest": 2**63 - 1, "double": 1.5, "nan": math.nan, "infinity": math.inf, "zero": -0.0,
            "bytes": b"\x00\xff", "time": WHEN, "point": firestore.GeoPoint(1.5, -2), "text": "héé😀", "none": None,
            "reference": kinds.document("z"), "list": [1, "x", None, {"k": 1}], "map": {"a.b": {"`q`": 1}},
            "vector": Vector([1.0, 2.0]), "true": True,
        }
    )  # fmt: skip
    return at.get()


@cases("fields of odd names are updated by their paths")
def _():
    at = kinds.document("odd")
    at.set({"a": 1})
    at.update({FieldPath("x.y", "z z").to_api_repr(): 5, "a": firestore.Increment(2)})
    return at.get()


@cases("merges replace the named fields alone")
def _():
    at = kinds.document("merge")
    at.set({"a": {"b": 1, "c": 2}, "k": 1})
    at.set({"a": {"b": 9}}, merge=True)
    at.set({"a": {"c": 7, "z": 1}, "k": 3}, merge=["a.c"])
    return at.get()


@cases("transforms of lists and numbers")
def _():
    at = kinds.document("transforms")
    at.set({"l": [1, 2], "n": 5, "f": 1.5, "gone": 1})
    at.update({"l": firestore.ArrayUnion([2, 3, 1.0]), "n": firestore.Maximum(9), "f": firestore.Minimum(1)})
    at.update({"l": firestore.ArrayRemove([1]), "n": firestore.Increment(0.5), "gone": firestore.DELETE_FIELD})
    return at.get()


@cases("an increment stops at the largest integer")
def _():
    at = kinds.document("overflow")
    at.set({"n": 2**63 - 1})
    at.update({"n": firestore.Increment(5)})
    return at.get()


@cases("the server's time is a time of whole milliseconds")
def _():
    at = kinds.document("time")
    at.set({"t": firestore.SERVER_TIMESTAMP})
    return at.get().get("t").microsecond % 1000


@cases("times keep microseconds, and reach the year 1")
def _():
    at = kinds.document("times")
    at.set({"t": WHEN, "first": datetime.datetime(1, 1, 1, tzinfo=datetime.timezone.utc)})
    return at.get()


def refused(name, function):
    cases(f"refused: {name}")(function)


refused("creating what is there", lambda: [kinds.document("twice").create({}) for _ in range(2)])
refused("updating what is not there", lambda: kinds.document("none").update({"a": 1}))
refused("deleting what must exist", lambda: kinds.document("none").delete(option=db.write_option(exists=True)))
refused("a reserved id", lambda: kinds.document("__bad__").set({}))
refused("an id of 1501 bytes", lambda: kinds.document("x" * 1501).set({}))
refused("a reserved field", lambda: kinds.document("r").set({"__x__": 1}))
refused("a field of 1048577 bytes", lambda: kinds.document("big").set({"s": "x" * 1048577}))
refused("a list in a list", lambda: kinds.document("nested").set({"a": [[1]]}))
refused("a latitude of 91", lambda: kinds.document("geo").set({"g": firestore.GeoPoint(91, 0)}))


@cases("refused: an update of an older version")
def _():
    at = kinds.document("older")
    first = at.set({"a": 1})
    at.set({"a": 2})
    at.update({"a": 3}, option=db.write_option(last_update_time=first.update_time))


@cases("a document of nearly a mebibyte")
def _():
    kinds.document("large").set({"s": "x" * 1048400})
    return len(kinds.document("large").get().get("s"))


@cases("a batch writes one document several times")
def _():
    batch = db.batch()
    at = kinds.document("batch")
    batch.set(at, {"a": 1})
    batch.update(at, {"b": 2})
    batch.delete(at)
    batch.create(at, {"z": 1})
    return [len(batch.commit()), at.get()]


@cases("a batch that fails writes nothing")
def _():
    batch = db.batch()
    batch.set(kinds.document("whole"), {"a": 1})
    batch.update(kinds.document("whole-none"), {"b": 2})
    try:
        batch.commit()
    except Exception as error:  # noqa: BLE001  (its type is the answer)
        return [type(error).__name__, kinds.document("whole").get()]


@cases("a batch of 501 writes")
def _():
    batch = db.batch()
    for i in range(501):
        batch.set(db.document(f"many/{i}"), {"a": 1})
    return len(batch.commit())


VALUES = [
    1, 2, 2.0, 1.5, "a", "b", None, True, False, b"x", WHEN, firestore.GeoPoint(0, 0), [1, 2], [1], {"a": 1}, {"b": 0},
    math.nan, -1, query.document("zz"), Vector([1.0, 2.0]), Vector([3.0, 4.0, 5.0]), Vector([2.0, 0.0]),
    Vector([5.0, 5.0]),
]  # fmt: skip


@cases("documents to ask for")
def _():
    batch = db.batch()
    for i, value in enumerate(VALUES):
        fields = {"v": value, "i": i, "g": i % 3, "tags": [i % 2, i % 3, "t"], "m": {"x": i}}
        batch.set(query.document(f"d{i:02}"), fields)
    return len(batch.commit())


def where(*filters, on=query):
    for one in filters:
        on = on.where(filter=FieldFilter(*one))
    return on


QUERIES = {
    "order of kinds": lambda: query.order_by("v"),
    "order of kinds, downwards": lambda: query.order_by("v", direction="DESCENDING"),
    "equal to a number": lambda: where(("v", "==", 2)),
    "equal to NaN": lambda: where(("v", "==", math.nan)),
    "equal to null": lambda: where(("v", "==", None)),
    "equal to a map": lambda: where(("v", "==", {"a": 1})),
    "equal to a list": lambda: where(("v", "==", [1, 2])),
    "equal to a vector": lambda: where(("v", "==", Vector([1.0, 2.0]))),
    "not null": lambda: where(("v", "!=", None)),
    "not NaN": lambda: where(("v", "!=", math.nan)),
    "not a number": lambda: where(("v", "!=", 2)),
    "greater": lambda: where(("v", ">", 1)),
    "less than a text": lambda: where(("v", "<", "b")),
    "in": lambda: where(("v", "in", [1, "a", None])),
    "not in": lambda: where(("v", "not-in", [1, "a"])),
    "not in, with null": lambda: where(("v", "not-in", [1, None])),
    "contains": lambda: where(("tags", "array_contains", 1)),
    "contains any": lambda: where(("tags", "array_contains_any", [2, 0])),
    "a field of a map": lambda: where(("m.x", ">=", 18)).order_by("m.x"),
    "inequalities of two fields": lambda: where(("i", ">", 3), ("g", ">", 0)).order_by("g").order_by("i"),
    "names from": lambda: where(("__name__", ">=", query.document("d18"))),
    "names in": lambda: where(("__name__", "in", [query.document("d01"), query.document("d03")])),
    "a group's names from": lambda: where(("__name__", ">=", query.document("d19")), on=db.collection_group("query")),
    "a group": lambda: db.collection_group("query").order_by("i"),
    "offset": lambda: query.order_by("i").offset(18),
    "limit 0": lambda: query.limit(0),
    "after a snapshot": lambda: query.order_by("g").start_after(query.document("d04").get()),
    "from and before": lambda: query.order_by("i").start_at({"i": 3}).end_before({"i": 6}),
    "from and to of two fields": lambda: query.order_by("g").order_by("i").start_at([1, 7]).end_at([2, 5]),
    "or": lambda: query.where(
        filter=Or([FieldFilter("i", "==", 1), And([FieldFilter("g", "==", 2), FieldFilter("i", ">", 15)])])
    ),
    "or, downwards, limited": lambda: query.where(
        filter=Or([FieldFilter("g", "==", 1), FieldFilter("g", "==", 2)])
    ).order_by("i", direction="DESCENDING").limit(4),
    "refused: 31 values of in": lambda: where(("v", "in", list(range(31)))),
    "refused: in of nothing": lambda: where(("v", "in", [])),
    "refused: not in beside unequal": lambda: where(("v", "not-in", [1]), ("i", "!=", 2)),
    "refused: not in twice": lambda: where(("v", "not-in", [1]), ("i", "not-in", [2])),
    "refused: one order twice": lambda: query.order_by("i").order_by("i"),
    "refused: a negative limit": lambda: query.limit(-1),
}  # fmt: skip

for title, asked in QUERIES.items():
    cases(f"query: {title}")(lambda asked=asked: [found.id for found in asked().stream()])


@cases("query: the last two")
def _():
    return [found.id for found in query.order_by("i").limit_to_last(2).get()]


@cases("query: some fields, and none")
def _():
    some = where(("i", "in", [1, 2]))
    return [[one.to_dict() for one in some.select(fields).stream()] for fields in (["m.x", "g"], [])]


def aggregates(aggregation):
    return sorted([one.alias, one.value] for row in aggregation.get() for one in row)


@cases("aggregates")
def _():
    return aggregates(query.count(alias="n").sum("i", alias="s").avg("i", alias="a").sum("v", alias="sv"))


@cases("aggregates of nothing")
def _():
    return aggregates(where(("i", ">", 99)).avg("i", alias="a").sum("i", alias="s").count(alias="n"))


@cases("a count up to a limit")
def _():
    return aggregates(query.limit(5).count(alias="n"))


def nearest(measure, **more):
    asked = query.find_nearest("v", Vector([1.0, 1.0]), limit=3, distance_measure=measure, **more)
    return [[one.id, round(one.get("far"), 6)] for one in asked.get()]


for measure in (DistanceMeasure.EUCLIDEAN, DistanceMeasure.COSINE, DistanceMeasure.DOT_PRODUCT):
    cases(f"nearest by {measure.name}")(lambda measure=measure: nearest(measure, distance_result_field="far"))


@cases("nearest within a distance")
def _():
    return nearest(DistanceMeasure.EUCLIDEAN, distance_result_field="far", distance_threshold=1.2)


@cases("several documents at once")
def _():
    asked = [query.document(id) for id in ("d01", "none", "d01")]
    return sorted([one.id, one.exists] for one in db.get_all(asked))


@cases("missing documents that have collections are listed")
def _():
    db.document("missing/p/below/x").set({"a": 1})
    below = [one.id for one in db.document("missing/p").collections()]
    return [[one.id for one in db.collection("missing").list_documents()], below]


@cases("documents are listed in pages")
def _():
    return [one.id for one in query.list_documents(page_size=4)]


@cases("a read of the past")
def _():
    at = db.document("past/x")
    first = at.set({"a": 1})
    at.set({"a": 2})
    return at.get(read_time=first.update_time).to_dict()


@cases("a transaction counts")
def _():
    at = query.document("d00")

    @firestore.transactional
    def count(transaction):
        before = at.get(transaction=transaction).to_dict().get("count") or 0
        transaction.update(at, {"count": before + 1})

    count(db.transaction())
    return at.get().get("count")


@cases("four threads lose no count")
def _():
    db.document("contended/x").set({"n": 0})
    errors = []

    def work():
        client = firestore.Client()
        at = client.document("contended/x")

        @firestore.transactional
        def count(transaction):
            transaction.update(at, {"n": at.get(transaction=transaction).get("n") + 1})

        for _ in range(5):
            try:
                count(client.transaction(max_attempts=50))
            except Exception as error:  # noqa: BLE001  (counted in the answer)
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [db.document("contended/x").get().get("n"), len(errors)]


@cases("a transaction that only reads")
def _():
    @firestore.transactional
    def first(transaction):
        return [one.id for one in query.limit(1).stream(transaction=transaction)]

    return first(db.transaction(read_only=True))


@cases("the bulk writer")
def _():
    writer = db.bulk_writer()
    for i in range(600):
        writer.create(db.document(f"bulk/{i}"), {"i": i})
    writer.close()
    return aggregates(db.collection("bulk").count(alias="n"))


@cases("recursive deletion")
def _():
    for i in range(5):
        db.document(f"tree/{i}/leaves/x").set({"a": i})
        db.document(f"tree/{i}").set({})
    return [db.recursive_delete(db.collection("tree")), len(list(db.collection_group("leaves").stream()))]


class Heard:
    """Answers of a listener, in order."""

    def __init__(self):
        self.all = []
        self._changed = threading.Condition()

    def __call__(self, documents, *_):
        with self._changed:
            self.all.append([one.id for one in documents if one.exists])
            self._changed.notify_all()

    def wait(self, count):
        with self._changed:
            if not self._changed.wait_for(lambda: len(self.all) >= count, timeout=30):
                raise TimeoutError(f"{count} answers expected, {self.all} came")


@cases("a document is listened to")
def _():
    at, heard = db.document("heard/x"), Heard()
    watch = at.on_snapshot(heard)
    heard.wait(1)
    at.set({"a": 1})
    heard.wait(2)
    at.delete()
    heard.wait(3)
    watch.unsubscribe()
    return heard.all


@cases("a query is listened to")
def _():
    listened, heard = db.collection("listened"), Heard()
    listened.document("1").set({"n": 1})
    watch = listened.order_by("n").limit(2).on_snapshot(heard)
    heard.wait(1)
    for count, (id, n) in enumerate([("0", 0), ("2", 0.5)], start=2):
        listened.document(id).set({"n": n})
        heard.wait(count)
    listened.document("0").delete()
    heard.wait(4)
    watch.unsubscribe()
    return heard.all


@cases("the asynchronous client")
def _():
    async def work():
        client = firestore.AsyncClient()
        at = client.document("async/x")
        await at.set({"a": 1})

        @firestore.async_transactional
        async def add(transaction):
            before = await at.get(transaction=transaction)
            transaction.update(at, {"a": before.get("a") + 1})

        await add(client.transaction())
        return [[one.id async for one in client.collection("async").stream()], (await at.get()).to_dict()]

    return asyncio.run(work())


@cases("a second database")
def _():
    second = firestore.Client(database="second")
    second.document("other/x").set({"a": 1})
    return [second.document("other/x").get().to_dict(), db.document("other/x").get().exists]


@cases("ids of other scripts and with spaces")
def _():
    db.document("kinds/s/日本/x y").set({"a": 1})
    return [one.reference.path for one in db.collection("kinds/s/日本").stream()]
