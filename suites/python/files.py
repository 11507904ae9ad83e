"""Files by google-cloud-storage."""

import gzip
import io
import os
import tempfile

from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.cloud.storage import transfer_manager

from harness import Cases, equal, raises
from server import BUCKET, PROJECT

cases = Cases()
client = storage.Client(
    project=PROJECT,
    credentials=AnonymousCredentials(),
    client_options={"api_endpoint": os.environ["STORAGE_EMULATOR_HOST"]},
)
bucket = client.bucket(BUCKET)
NAMES = ["a//e.txt", "a/b#c.txt", "a/b/c.txt", "a/b/d.txt", "a/h.txt", "a/über x?.txt", "z.txt"]
TEXTS_OF_A = ["a/b#c.txt", "a/h.txt", "a/über x?.txt"]


def put(name, content=None):
    bucket.blob(name).upload_from_string(name if content is None else content)


def text(name):
    return bucket.blob(name).download_as_text()


@cases("files of odd names are stored, listed and read")
def _():
    for name in NAMES:
        put(name)
    equal([text(name) for name in NAMES], NAMES)
    equal([one.name for one in client.list_blobs(bucket)], NAMES)
    below = client.list_blobs(bucket, prefix="a/", delimiter="/")
    equal([one.name for one in below], TEXTS_OF_A)
    equal(sorted(below.prefixes), ["a//", "a/b/"])
    equal([len(list(page)) for page in client.list_blobs(bucket, page_size=3).pages], [3, 3, 1])
    equal([one.name for one in client.list_blobs(bucket, match_glob="a/*.txt")], TEXTS_OF_A)
    within = client.list_blobs(bucket, start_offset="a/b/", end_offset="a/h")
    equal([one.name for one in within], ["a/b/c.txt", "a/b/d.txt"])


@cases("a large file goes up in parts, and down in ranges")
def _():
    content = os.urandom(3 * 1024 * 1024 + 17)
    bucket.blob("big", chunk_size=256 * 1024).upload_from_file(io.BytesIO(content), size=len(content))
    bucket.blob("unknown", chunk_size=256 * 1024).upload_from_file(io.BytesIO(content))
    for name in ("big", "unknown"):
        assert bucket.blob(name).download_as_bytes() == content
    equal(bucket.blob("big").download_as_bytes(start=10, end=19), content[10:20])
    with tempfile.NamedTemporaryFile() as file:
        transfer_manager.download_chunks_concurrently(
            bucket.blob("big"), file.name, chunk_size=1 << 20, worker_type=transfer_manager.THREAD
        )
        assert file.read() == content


@cases("damaged bytes are refused")
def _():
    damaged = bucket.blob("damaged")
    damaged.md5_hash = "AAAAAAAAAAAAAAAAAAAAAA=="
    raises(exceptions.BadRequest, lambda: damaged.upload_from_string("hello"))
    damaged.md5_hash = None
    damaged.crc32c = "AAAAAA=="
    raises(exceptions.BadRequest, lambda: damaged.upload_from_string("hello", checksum=None))
    assert not bucket.blob("damaged").exists()
    for checksum in ("md5", "crc32c"):
        bucket.blob("checked").upload_from_string("hello", checksum=checksum)
        equal(bucket.blob("checked").download_as_bytes(checksum=checksum), b"hello")


@cases("metadata is changed")
def _():
    blob = bucket.get_blob("z.txt")
    blob.metadata = {"k": "v", "é": "ü"}
    blob.cache_control = "no-store"
    blob.content_disposition = "attachment"
    blob.patch()
    again = bucket.get_blob("z.txt")
    equal((again.metadata, again.cache_control, again.metageneration), ({"k": "v", "é": "ü"}, "no-store", 2))


@cases("files are copied, renamed and put together")
def _():
    bucket.copy_blob(bucket.blob("z.txt"), bucket, "copy")
    bucket.rename_blob(bucket.blob("copy"), "renamed")
    equal((text("renamed"), bucket.blob("copy").exists()), ("z.txt", False))
    equal(bucket.blob("rewritten").rewrite(bucket.get_blob("z.txt")), (None, 5, 5))
    whole = bucket.blob("whole")
    whole.compose([bucket.get_blob("z.txt"), bucket.get_blob("a/h.txt")])
    equal((text("whole"), whole.component_count), ("z.txta/h.txt", 2))


@cases("conditions on generations hold")
def _():
    blob = bucket.get_blob("z.txt")
    raises(exceptions.PreconditionFailed, lambda: blob.upload_from_string("no", if_generation_match=0))
    raises(exceptions.PreconditionFailed, lambda: blob.patch(if_metageneration_match=99))
    raises(
        exceptions.NotModified, lambda: blob.download_as_bytes(if_generation_not_match=blob.generation)
    )
    bucket.blob("fresh").upload_from_string("yes", if_generation_match=0)


@cases("compressed files come whole, or as they are stored")
def _():
    blob = bucket.blob("compressed")
    blob.content_encoding = "gzip"
    blob.upload_from_string(gzip.compress(b"hello"))
    equal(blob.download_as_bytes(), b"hello")
    equal(gzip.decompress(blob.download_as_bytes(raw_download=True)), b"hello")


@cases("a file is written and read as one of Python's")
def _():
    with bucket.blob("lines").open("w") as file:
        file.write("one\ntwo")
    with bucket.blob("lines").open("r") as file:
        equal(list(file), ["one\n", "two"])


@cases("several requests go in one")
def _():
    for name in ("one", "two"):
        put(name)
    with client.batch():
        for name in ("one", "two"):
            bucket.blob(name).delete()
    equal([bucket.blob(name).exists() for name in ("one", "two")], [False, False])
    with client.batch():
        blobs = [bucket.get_blob(name) for name in ("z.txt", "a/h.txt")]
    equal([blob.size for blob in blobs], [5, 7])
    with client.batch(raise_exception=False) as batch:
        bucket.blob("none").delete()
        bucket.blob("lines").delete()
    equal([answer.status_code for answer in batch._responses], [404, 204])


@cases("files are deleted, missing ones are said to be")
def _():
    bucket.delete_blobs([bucket.blob("renamed"), bucket.blob("rewritten")])
    equal(bucket.blob("renamed").exists(), False)
    raises(exceptions.NotFound, lambda: bucket.blob("none").delete())
    raises(exceptions.NotFound, lambda: bucket.blob("none").download_as_bytes())


@cases("buckets are made")
def _():
    equal(client.create_bucket("second-bucket").name, "second-bucket")
    equal(sorted(one.name for one in client.list_buckets()), sorted([BUCKET, "second-bucket"]))
    equal(client.get_bucket(BUCKET).location, "US")


@cases("what is not offered is said")
def _():
    words = str(raises(exceptions.MethodNotImplemented, lambda: bucket.blob("z.txt").make_public()))
    assert "storage.rules" in words, words
