"""A tiny client that retries safely, with nothing but Python's standard library.

send() repeats one request with one key until it has the answer. What is retried, and what is final, is in docs/how-to/client.md;
'./semel conformance-server' tests it.
"""

import email.utils
import http.client
import json
import os
import random
import socket
import time
import urllib.error
import urllib.parse
import urllib.request

RETRIED = {408, 425, 429, 500, 502, 503, 504}
PENDING = {"idempotency_key_in_progress", "idempotency_outcome_unknown"}
# The request was refused before its execution.
REFUSED = {425, 429}
# These say nothing about an earlier attempt.
NOT_ADMITTED = {401, 403, 407}


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer: its target's failure would be taken for that of the request."""

    def redirect_request(self, *_):
        return None


def new_key():
    """A UUID of version 7: it carries its time, so that a server can refuse a retry that comes too late."""
    value = int(time.time() * 1000) << 80 | 7 << 76 | random.SystemRandom().getrandbits(12) << 64
    value |= 2 << 62 | random.SystemRandom().getrandbits(62)
    digits = f"{value:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def send(url, body, key=None, attempt_timeout=30.0, deadline=120.0):
    """Returns how it ended: answered; unknown (it may have been executed: keep the key); or not_executed."""
    key = key or new_key()
    opener = urllib.request.build_opener(NoRedirects)
    end = time.monotonic() + deadline
    maybe_executed = False
    attempts = 0
    while True:
        attempts += 1
        request = urllib.request.Request(
            url, data=body.encode(), method="POST", headers={"Content-Type": "application/json", "Idempotency-Key": key}
        )
        wait = None
        try:
            status, headers, text = exchange(opener, request, min(attempt_timeout, end - time.monotonic()))
        except (ConnectionRefusedError, socket.gaierror):
            pass  # nothing was sent
        except (OSError, http.client.HTTPException):
            maybe_executed = True
        else:
            problem = members(headers, text)
            if not retried(status, headers, problem):
                doubt = status in NOT_ADMITTED or problem.get("code") == "idempotency_key_expired"
                replayed = headers.get("Idempotency-Replayed") == "true"
                if doubt and maybe_executed and not replayed:
                    return {"ended": "unknown", "key": key, "status": status, "safe_new_key": False}
                return {
                    "ended": "answered",
                    "key": key,
                    "status": status,
                    "body": text,
                    "replayed": replayed,
                    "safe_new_key": problem.get("safe_new_key") is True and not maybe_executed,
                    "next": problem.get("next"),
                    "expires": headers.get("Idempotency-Expires"),
                }
            if status not in REFUSED and problem.get("code") != "idempotency_not_executed":
                maybe_executed = True
            wait = retry_after(headers)
        if wait is None:
            wait = random.uniform(0, min(10.0, 0.1 * 2**attempts))
        if time.monotonic() + wait >= end:
            return {"ended": "unknown" if maybe_executed else "not_executed", "key": key, "safe_new_key": not maybe_executed}
        time.sleep(wait)


def exchange(opener, request, timeout):
    try:
        with opener.open(request, timeout=timeout) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()
    except urllib.error.URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else error


def retried(status, headers, problem):
    if headers.get("Idempotency-Replayed") == "true" or headers.get("Idempotency-Protected") == "false":
        return False
    if problem.get("retryable") is False:
        return False
    if status in (202, 409):
        return problem.get("code") in PENDING or (status == 409 and "Retry-After" in headers)
    return status in RETRIED


def members(headers, text):
    try:
        problem = json.loads(text) if "json" in headers.get("Content-Type", "") else {}
        return problem if isinstance(problem, dict) else {}
    except ValueError:
        return {}


def retry_after(headers):
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    date = email.utils.parsedate_to_datetime(value)
    return max(0.0, date.timestamp() - time.time())


if __name__ == "__main__":
    import concurrent.futures
    import sys

    base = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("CONFORMANCE", "http://127.0.0.1:8087")

    def fetch(url, data=None):
        with urllib.request.urlopen(urllib.request.Request(url, data=data)) as response:
            return response.read()

    listing = json.loads(fetch(base + "/conformance/scenarios"))
    settings = listing["settings"]

    def play(scenario):
        result = send(
            scenario["url"],
            scenario["body"],
            attempt_timeout=settings["attempt-timeout-seconds"],
            deadline=settings["deadline-seconds"],
        )
        fetch(scenario["report"], json.dumps(result).encode())

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        list(threads.map(play, listing["scenarios"]))
    results = json.loads(fetch(base + "/conformance/finish", b""))
    print(f"{results['passed']} passed, {results['failed']} failed")
    sys.exit(0 if results["conforms"] else 1)
