# SPDX-License-Identifier: Apache-2.0
"""What the scripts that check a corpus of `touchstone export` share."""
import hashlib
import json
import os


class Corpus:
    """A corpus in a folder. `wrong` counts what was reported: files that are not those of the manifest, and more."""

    def __init__(self, folder):
        self.folder = folder
        self.counts, self.wrong = {}, 0
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)

    def cases(self, every):
        """Each case whose number is a multiple of `every`, with its folder; of all cases, the files are checked."""
        for number, case in enumerate(self.manifest["cases"]):
            folder = os.path.join(self.folder, case["folder"])
            for name, digest in case["files"].items():
                with open(os.path.join(folder, name), "rb") as file:
                    if hashlib.sha256(file.read()).hexdigest() != digest:
                        self.report(f"{case['folder']}/{name}: is not the file of the manifest")
            if number % every == 0:
                yield case, folder

    def report(self, text):
        print(text)
        self.wrong += 1

    def count(self, name, what):
        self.counts[name, what] = self.counts.get((name, what), 0) + 1

    def judge(self, case, said):
        """Count what each runtime said: None if it agrees, "skipped", or in words what is wrong."""
        for name, what in said.items():
            self.count(name, "agrees" if what is None else "skipped" if what == "skipped" else "disagrees")
            if what not in (None, "skipped"):
                self.report(f"{case['id']}: {name} {what}")

    def end(self):
        """Print the counts. The exit status."""
        for (name, what), count in sorted(self.counts.items()):
            print(f"{count:8} {name} {what}")
        return 1 if self.wrong else 0


def same(got, expected):
    return got.dtype == expected.dtype and got.shape == expected.shape and got.tobytes() == expected.tobytes()
