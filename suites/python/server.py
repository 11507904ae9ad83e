"""The built server in emulator mode, with all products on one port."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = "demo-python"
BUCKET = f"{PROJECT}.appspot.com"
READY = re.compile(r"^Tuckbox is ready: http://(\S+)$")
DENY_ALL = {
    "firestore.rules": "rules_version='2'; service cloud.firestore { match /{x=**} { allow read, write: if false; } }",
    "storage.rules": "rules_version='2'; service firebase.storage { match /{x=**} { allow read, write: if false; } }",
}


class Server:
    """Starts with nothing stored; `stop` ends it and removes its folder."""

    def __init__(self):
        self._folder = tempfile.mkdtemp(prefix="tuckbox-python-")
        config = {"firestore": {"rules": "firestore.rules"}, "storage": {"rules": "storage.rules"}}
        for name, text in {**DENY_ALL, "firebase.json": json.dumps(config)}.items():
            pathlib.Path(self._folder, name).write_text(text, encoding="utf-8")
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        binary = pathlib.Path(os.environ.get("TUCKBOX_BIN", target / "debug/tuckbox")).resolve()
        self._child = subprocess.Popen(
            [binary, "serve", "--mode", "emulator", "--project", PROJECT, "--port", "0"],
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        log = []
        for line in self._child.stdout:
            ready = READY.match(line.strip())
            if ready:
                self.host = ready.group(1)
                return
            log.append(line)
        raise RuntimeError("The server ended before it was ready:\n" + "".join(log))

    def stop(self):
        self._child.terminate()
        self._child.communicate()
        shutil.rmtree(self._folder, ignore_errors=True)
