"""A receiver of Signpost's webhooks in Python 3, without packages:

WEBHOOK_SECRET=whsec_… python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]
seen = set()


def verify(secret, headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) >= 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.removeprefix("v1,"), expected) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not verify(SECRET, self.headers, body):
            self.answer(401)
            return
        message_id = self.headers["webhook-id"]
        if message_id not in seen:
            seen.add(message_id)  # In earnest: a unique key in your database, in the transaction that does the work.
            event = json.loads(body)
            data = event["data"]
            print(f"{event['event']} {data['scan_id']} of {data['qr_id']} in {data['country']}", flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver)
    print(f"listening on {server.server_address}", flush=True)
    server.serve_forever()
