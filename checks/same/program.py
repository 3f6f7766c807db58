"""Runs a program and normalises its answers for comparison."""

import hashlib
import json
import os
import signal
import subprocess
import time

# Fields that depend on the machine or the time.
MEASURED = {"seconds", "memory_allowed", "disk_free", "threads", "tables", "nodes"}
# Fields with sentences for readers, compared only with --words.
WORDS = {"detail", "expected", "advice", "notes", "title", "summary", "sentences", "caption",
         "comment", "proof", "reason", "counted", "about"}


class Form:
    """How to compare answers: with or without sentences, and with renamed fields."""

    def __init__(self, words=False, renamed=()):
        self.left_out = MEASURED if words else MEASURED | WORDS
        self.earlier = {new: old for old, new in dict(renamed).items()}

    def cleaned(self, value):
        if isinstance(value, list):
            return [self.cleaned(item) for item in value]
        if not isinstance(value, dict):
            return value
        named = {self.earlier.get(name, name): item for name, item in value.items()}
        return {name: self.cleaned(item) for name, item in named.items()
                if name not in self.left_out}

    def text(self, answer):
        """Sorts the fields of JSON lines; other lines stay as they are."""
        return "\n".join(self.line(line) for line in answer.splitlines())

    def line(self, line):
        try:
            value = json.loads(line)
        except ValueError:
            return line
        return json.dumps(self.cleaned(value), sort_keys=True, ensure_ascii=False)


class Program:
    """A command-line program."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        if not os.path.exists(self.path):
            raise SystemExit(f"there is no program {path}")
        self.shared = "--processes <" in self.run(["solve", "--help"])[1]

    def command(self, words, tables=None):
        folder = ["--tables", tables] if tables else []
        return [self.path, *map(str, words), *folder]

    def run(self, words, tables=None, lines=(), folder=None):
        """Returns the exit status, standard output and standard error."""
        done = subprocess.run(self.command(words, tables), input="".join(f"{x}\n" for x in lines),
                              capture_output=True, encoding="utf-8", check=False, cwd=folder)
        return done.returncode, done.stdout, done.stderr

    def must(self, words, tables=None):
        """Returns the answers of a command that must succeed."""
        status, out, error = self.run([*words, "--json"], tables)
        if status:
            raise RuntimeError(f"{' '.join(map(str, words))}: status {status}: {error.strip()}")
        return [json.loads(line) for line in out.splitlines()]

    def kill_after(self, words, tables, seconds):
        """Starts a command and kills all its processes. Returns whether it was still running."""
        child = subprocess.Popen(self.command(words, tables), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        time.sleep(seconds)
        running = child.poll() is None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        return running

    def output_of(self, words, tables):
        """Returns a process whose standard output can be read."""
        return subprocess.Popen(self.command(words, tables), stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)


def sha256_of(stream):
    sum_ = hashlib.sha256()
    for block in iter(lambda: stream.read(1 << 20), b""):
        sum_.update(block)
    return sum_.hexdigest()


def sha256_of_file(path):
    with open(path, "rb") as file:
        return sha256_of(file)
