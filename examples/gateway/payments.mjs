// A service that takes payments. It knows nothing of Semel, and books every request that it gets.
//
// POST /payments        {"order": "o-1", "amount": 100}    books a payment, 201
// GET  /payments/o-1                                        that payment, or 404
//
// node payments.mjs [PORT] [LEDGER]
// PAUSE_BEFORE and PAUSE_AFTER are seconds before and after a payment is booked, in which the service can be killed.

import fs from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const port = Number(process.argv[2] ?? 9000);
const ledger = process.argv[3] ?? 'payments.ledger';

const booked = () =>
  fs.existsSync(ledger) ? fs.readFileSync(ledger, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];

const book = (order, amount) => {
  const payment = { id: booked().length + 1, order, amount };
  const file = fs.openSync(ledger, 'a');
  fs.writeSync(file, JSON.stringify(payment) + '\n');
  fs.fsyncSync(file);
  fs.closeSync(file);
  return payment;
};

const parsed = (body) => {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
};

const pause = (name) => sleep(1000 * Number(process.env[name] ?? 0));

const answer = (response, status, content) => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
};

const server = http.createServer(async (request, response) => {
  if (request.method === 'POST') {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { order, amount } = parsed(Buffer.concat(chunks));
    if (order === undefined || amount === undefined) {
      answer(response, 400, { error: 'this is no payment' });
      return;
    }
    console.log('received', order);
    await pause('PAUSE_BEFORE');
    const payment = book(order, amount);
    console.log('booked', order);
    await pause('PAUSE_AFTER');
    answer(response, 201, payment);
  } else {
    const order = decodeURIComponent(request.url.slice('/payments/'.length));
    const found = booked().find((payment) => payment.order === order);
    answer(response, found ? 200 : 404, found ?? { error: 'no such payment' });
  }
});

server.listen(port, '127.0.0.1', () => console.log('listening', server.address().port));
