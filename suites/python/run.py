"""Python's official SDKs against the built server. Ends with `N passed, N failed`.

run.py                  every case
run.py --record HOST    records the answers of Google's Firestore emulator at HOST: those the cases of documents must get
"""

import json
import os
import pathlib
import sys

import server

ANSWERS = pathlib.Path(__file__).with_name("documents.json")


def record(host):
    os.environ.update(FIRESTORE_EMULATOR_HOST=host, GCLOUD_PROJECT=server.PROJECT)
    import documents

    text = json.dumps(dict(documents.cases.answers()), indent=1, sort_keys=True)
    ANSWERS.write_text(text + "\n", encoding="utf-8")


def compare():
    import documents

    wanted = json.loads(ANSWERS.read_text(encoding="utf-8"))
    passed = failed = 0
    for name, answer in documents.cases.answers():
        if json.loads(json.dumps(answer)) == wanted.get(name, "not recorded"):
            passed += 1
        else:
            failed += 1
            print(f"FAIL  {name}\n  is      {json.dumps(answer)}\n  wanted  {json.dumps(wanted.get(name))}")
    return passed, failed


def main():
    if sys.argv[1:2] == ["--record"]:
        record(sys.argv[2])
        return 0
    started = server.Server()
    try:
        os.environ.update(
            FIRESTORE_EMULATOR_HOST=started.host,
            FIREBASE_AUTH_EMULATOR_HOST=started.host,
            STORAGE_EMULATOR_HOST=f"http://{started.host}",
            GCLOUD_PROJECT=server.PROJECT,
            GOOGLE_CLOUD_PROJECT=server.PROJECT,
        )
        import accounts
        import files

        counts = [compare(), accounts.cases.run(), files.cases.run()]
    finally:
        started.stop()
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed", flush=True)
    # Listeners of the SDK keep threads that nothing joins.
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    sys.exit(main())
