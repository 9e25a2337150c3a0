"""A service that takes payments. It knows nothing of Semel, and books every request that it gets.

POST /payments        {"order": "o-1", "amount": 100}    books a payment, 201
GET  /payments/o-1                                        that payment, or 404

python3 payments.py [PORT] [LEDGER]
PAUSE_BEFORE and PAUSE_AFTER are seconds before and after a payment is booked, in which the service can be killed.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
LEDGER = sys.argv[2] if len(sys.argv) > 2 else "payments.ledger"
writing = threading.Lock()


def booked():
    if not os.path.exists(LEDGER):
        return []
    with open(LEDGER, encoding="utf-8") as ledger:
        return [json.loads(line) for line in ledger]


def book(order, amount):
    with writing, open(LEDGER, "a", encoding="utf-8") as ledger:
        payment = {"id": len(booked()) + 1, "order": order, "amount": amount}
        ledger.write(json.dumps(payment) + "\n")
        ledger.flush()
        os.fsync(ledger.fileno())
        return payment


class Payments(BaseHTTPRequestHandler):
    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            order, amount = request["order"], request["amount"]
        except (ValueError, KeyError, TypeError):
            self.answer(400, {"error": "this is no payment"})
            return
        print("received", order, flush=True)
        time.sleep(float(os.environ.get("PAUSE_BEFORE", "0")))
        payment = book(order, amount)
        print("booked", order, flush=True)
        time.sleep(float(os.environ.get("PAUSE_AFTER", "0")))
        self.answer(201, payment)

    def do_GET(self):
        order = unquote(self.path.removeprefix("/payments/"))
        found = [payment for payment in booked() if payment["order"] == order]
        self.answer(200 if found else 404, found[0] if found else {"error": "no such payment"})

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


server = Server(("127.0.0.1", PORT), Payments)
print("listening", server.server_port, flush=True)
server.serve_forever()
