"""ClickHouse's HTTP interface, as far as a client needs it, over the engine in this process. For tests; on loopback only.

There are queries, inserts whose rows are streamed, settings from the URL, request bodies in ClickHouse's LZ4 frames, error codes
with the engine's words. There are no users beside one, no sessions, no compressed answers, no Replicated tables.
"""

import argparse
import base64
import json
import os
import queue
import re
import signal
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import lz4.block
from chdb.state.sqlitelike import Connection

# Parameters of the interface itself; every other one is a setting.
INTERFACE = {
    "query", "database", "user", "password", "default_format", "compress", "decompress", "session_id", "session_timeout",
    "session_check", "query_id", "role", "quota_key", "client_protocol_version", "stacktrace", "buffer_size",
    "wait_end_of_query", "enable_http_compression", "http_write_exception_in_output_format",
    "send_progress_in_http_headers",
}
INSERT = re.compile(r"^\s*(INSERT\s+INTO\s+.*?)\s+FORMAT\s+(\w+)\s*;?\s*$", re.I | re.S)
FORMAT = re.compile(r"\sFORMAT\s+(\w+)\s*;?\s*$", re.I)
HTTP_OF_CODE = {60: 404, 81: 404, 516: 403, 497: 403, 62: 400, 47: 400, 36: 400, 164: 403, 241: 500}


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Refused(Exception):
    def __init__(self, code, words):
        super().__init__(f"Code: {code}. DB::Exception: {words}")


class Connections:
    """Connections without settings of their own, used again and again."""

    def __init__(self, path):
        self.path = path
        self.idle = queue.LifoQueue()
        self.anchor = Connection(path)

    def take(self, settings):
        if settings:
            return self.fresh(settings)
        try:
            return self.idle.get_nowait()
        except queue.Empty:
            return self.fresh({})

    def fresh(self, settings):
        connection = Connection(self.path)
        # The embedded engine takes "DELETE FROM windows" for a column called delete; the server does not.
        connection.query("SET implicit_select = 0")
        # Last of all: what is read-only takes no more settings.
        for name, value in sorted(settings.items(), key=lambda one: one[0] == "readonly"):
            connection.query(f"SET {name} = {literal(value)}")
        return connection

    def give_back(self, connection, settings):
        if settings:
            connection.close()
        else:
            self.idle.put(connection)


class Constraints:
    """The embedded engine drops a streamed block that violates a constraint without a word; the server refuses it."""

    def __init__(self):
        self.violations = 0

    def check(self, connection):
        answer = connection.query(
            "SELECT value, last_error_message FROM system.errors WHERE name = 'VIOLATED_CONSTRAINT'", "JSONEachRow")
        if not answer.bytes():
            return
        row = json.loads(answer.bytes().splitlines()[0])
        if int(row["value"]) > self.violations:
            self.violations = int(row["value"])
            raise Refused(469, row["last_error_message"] + " (VIOLATED_CONSTRAINT)")


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    wbufsize = 65536
    protocol_version = "HTTP/1.1"

    def log_message(self, *ignored):
        pass

    def raw_body(self):
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                if size == 0:
                    while self.rfile.readline() not in (b"\r\n", b"\n", b""):
                        pass
                    return
                while size:
                    piece = self.rfile.read(min(size, 1 << 20))
                    if not piece:
                        raise Refused(33, "the request broke off")
                    size -= len(piece)
                    yield piece
                self.rfile.readline()
        else:
            size = int(self.headers.get("Content-Length") or 0)
            while size:
                piece = self.rfile.read(min(size, 1 << 20))
                if not piece:
                    raise Refused(33, "the request broke off")
                size -= len(piece)
                yield piece

    def frames(self, pieces):
        """Takes ClickHouse's frames apart: checksum (16 bytes), method (0x82: LZ4), both lengths, a block."""
        buffer = b""
        for piece in pieces:
            buffer += piece
            while len(buffer) >= 25:
                method, packed, plain = struct.unpack_from("<BII", buffer, 16)
                if method != 0x82:
                    raise Refused(271, f"compression method {method} is not LZ4")
                if len(buffer) < 16 + packed:
                    break
                yield lz4.block.decompress(buffer[25:16 + packed], uncompressed_size=plain)
                buffer = buffer[16 + packed:]
        if buffer:
            raise Refused(33, "the request ends within a frame")

    def answer(self, status, data, result_format=None, written=0, code=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=UTF-8" if code else "application/octet-stream")
        self.send_header("X-ClickHouse-Server-Display-Name", "engine")
        self.send_header("X-ClickHouse-Query-Id", self.query_id)
        self.send_header("X-ClickHouse-Timezone", "UTC")
        if result_format:
            self.send_header("X-ClickHouse-Format", result_format)
        if code:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        summary = dict.fromkeys(
            ("read_rows", "read_bytes", "total_rows_to_read", "result_rows", "result_bytes", "elapsed_ns"), "0")
        summary.update({"written_rows": str(written), "written_bytes": "0"})
        self.send_header("X-ClickHouse-Summary", json.dumps(summary))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.serve()

    def do_POST(self):
        self.serve()

    def check_user(self, parameters):
        user = self.headers.get("X-ClickHouse-User") or parameters.get("user")
        password = self.headers.get("X-ClickHouse-Key") or parameters.get("password") or ""
        basic = self.headers.get("Authorization") or ""
        if basic.startswith("Basic "):
            user, _, password = base64.b64decode(basic[6:]).decode().partition(":")
        if (user or "default") != "default" or password != PASSWORD:
            raise Refused(
                516,
                f"{user}: Authentication failed: password is incorrect, or there is no user with such name."
                " (AUTHENTICATION_FAILED)")

    def serve(self):
        url = urlsplit(self.path)
        parameters = dict(parse_qsl(url.query, keep_blank_values=True))
        self.query_id = parameters.get("query_id") or self.headers.get("X-ClickHouse-Query-Id") or ""
        body = self.raw_body()
        if url.path == "/ping":
            for _ in body:
                pass
            self.answer(200, b"Ok.\n")
            return
        settings = {
            key: value for key, value in parameters.items() if key not in INTERFACE and not key.startswith("param_")}
        connection = None
        try:
            self.check_user(parameters)
            sql = parameters.get("query", "")
            insert = INSERT.match(sql)
            if parameters.get("decompress") == "1":
                body = self.frames(body)
            own = {} if insert else settings
            connection = CONNECTIONS.take(own)
            database = parameters.get("database") or self.headers.get("X-ClickHouse-Database") or "default"
            connection.query(f"USE `{database}`")
            if insert:
                self.answer(200, b"", None, self.insert(connection, insert, settings, body))
            else:
                sql = (sql + "\n" if sql else "") + b"".join(body).decode("utf-8", "surrogateescape")
                form = FORMAT.search(sql)
                form = form.group(1) if form else parameters.get("default_format")
                form = form or self.headers.get("X-ClickHouse-Format") or "TabSeparated"
                result = connection.query(sql, form)
                self.answer(200, (result.bytes() if hasattr(result, "bytes") else bytes(result)) or b"", form)
            CONNECTIONS.give_back(connection, own)
        except Exception as failure:
            if connection is not None:
                connection.close()
            self.fail(str(failure), body)

    def insert(self, connection, insert, settings, body):
        head = insert.group(1)
        if settings:
            head += " SETTINGS " + ", ".join(f"{name} = {literal(value)}" for name, value in settings.items())
        rows = connection.send_insert(head, insert.group(2))
        try:
            for piece in body:
                rows.append(piece)
            written = rows.finish().rows_written
            CONSTRAINTS.check(connection)
            return written
        except BaseException:
            if not rows._finished:
                rows.cancel()
            raise

    def fail(self, words, body):
        found = re.search(r"Code: (\d+)", words)
        code = int(found.group(1)) if found else 1002
        try:
            for _ in body:
                pass
        except Exception:
            self.close_connection = True
        self.answer(HTTP_OF_CODE.get(code, 500), (words + "\n").encode(), code=code)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def handle_error(self, request, address):
        """A client that goes away is no news."""


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, required=True)
    arguments.add_argument("--path", required=True)
    chosen = arguments.parse_args()
    PASSWORD = os.environ.get("ENGINE_PASSWORD", "")
    CONNECTIONS = Connections(chosen.path)
    CONSTRAINTS = Constraints()
    server = Server(("127.0.0.1", chosen.port), Handler)
    # The engine has handlers of its own; the default would wait for its threads.
    signal.signal(signal.SIGTERM, lambda *ignored: threading.Thread(target=server.shutdown).start())
    print(f"listens on 127.0.0.1:{chosen.port}", flush=True)
    server.serve_forever()
    CONNECTIONS.anchor.close()
    os._exit(0)
