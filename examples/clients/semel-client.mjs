// A tiny client that retries safely, with nothing but Node's standard library.
//
// send() repeats one request with one key until it has the answer. What is retried, and what is final, is in
// docs/how-to/client.md; './semel conformance-server' tests it.
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);
const PENDING = new Set(['idempotency_key_in_progress', 'idempotency_outcome_unknown']);
const REFUSED = new Set([425, 429]); // refused before the execution
const NOT_ADMITTED = new Set([401, 403, 407]); // these say nothing about an earlier attempt
const NOTHING_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** A UUID of version 7: it carries its time, so that a server can refuse a retry that comes too late. */
export function newKey() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** How it ended: answered; unknown (it may have been executed: keep the key); or not_executed. */
export async function send(url, body, { key = newKey(), attemptTimeout = 30_000, deadline = 120_000 } = {}) {
  const end = performance.now() + deadline;
  let maybeExecuted = false;
  for (let attempts = 1; ; attempts++) {
    let wait;
    try {
      const { status, headers, text } = await exchange(url, body, key, Math.min(attemptTimeout, end - performance.now()));
      const problem = members(headers, text);
      if (!retried(status, headers, problem)) {
        const doubt = NOT_ADMITTED.has(status) || problem.code === 'idempotency_key_expired';
        const replayed = headers['idempotency-replayed'] === 'true';
        if (doubt && maybeExecuted && !replayed) {
          return { ended: 'unknown', key, status, safe_new_key: false };
        }
        const safeNewKey = problem.safe_new_key === true && !maybeExecuted;
        const expires = headers['idempotency-expires'];
        return { ended: 'answered', key, status, body: text, replayed, safe_new_key: safeNewKey, next: problem.next, expires };
      }
      maybeExecuted ||= !REFUSED.has(status) && problem.code !== 'idempotency_not_executed';
      wait = retryAfter(headers);
    } catch (error) {
      maybeExecuted ||= !NOTHING_SENT.has(error.code);
    }
    wait ??= Math.random() * Math.min(10_000, 100 * 2 ** attempts);
    if (performance.now() + wait >= end) {
      return { ended: maybeExecuted ? 'unknown' : 'not_executed', key, safe_new_key: !maybeExecuted };
    }
    await pause(wait);
  }
}

function exchange(url, body, key, timeout) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'Idempotency-Key': key };
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeout)));
    const request = (url.startsWith('https:') ? https : http).request(url, { method: 'POST', headers, signal }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        response.complete
          ? resolve({ status: response.statusCode, headers: response.headers, text })
          : reject(new Error('the answer was cut off'));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function retried(status, headers, problem) {
  if (headers['idempotency-replayed'] === 'true' || headers['idempotency-protected'] === 'false') return false;
  if (problem.retryable === false) return false;
  if (status === 202) return PENDING.has(problem.code);
  if (status === 409) return PENDING.has(problem.code) || headers['retry-after'] !== undefined;
  return RETRIED.has(status);
}

function members(headers, text) {
  try {
    return (/json/.test(headers['content-type']) && JSON.parse(text)) || {};
  } catch {
    return {};
  }
}

function retryAfter(headers) {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? value * 1000 : Math.max(0, Date.parse(value) - Date.now());
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const base = process.argv[2] ?? process.env.CONFORMANCE ?? 'http://127.0.0.1:8087';
  const call = (method, url, body = '') =>
    new Promise((resolve, reject) => {
      const request = http.request(url, { method, headers: { 'Content-Length': Buffer.byteLength(body) } }, response => {
        let text = '';
        response.on('data', chunk => (text += chunk));
        response.on('end', () => resolve(text && JSON.parse(text)));
      });
      request.on('error', reject);
      request.end(body);
    });
  const { settings, scenarios } = await call('GET', `${base}/conformance/scenarios`);
  const times = {
    attemptTimeout: settings['attempt-timeout-seconds'] * 1000,
    deadline: settings['deadline-seconds'] * 1000,
  };
  await Promise.all(
    scenarios.map(async ({ url, body, report }) => call('POST', report, JSON.stringify(await send(url, body, times)))),
  );
  const results = await call('POST', `${base}/conformance/finish`);
  console.log(`${results.passed} passed, ${results.failed} failed`);
  process.exit(results.conforms ? 0 : 1);
}
