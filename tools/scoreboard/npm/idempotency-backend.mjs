// idempotency-backend as its README shows it for Express: the middleware, and SaveResponse in the handler.

import express from "express";
import idempotency from "idempotency-backend/express";
import { effects, listening, pay, port } from "./payments.mjs";

const app = express();
app.use(express.json());
app.get("/effects", (request, response) => response.send(effects()));
app.post("/payments", idempotency.default ?? idempotency, async (request, response) => {
  const payment = await pay();
  await request.idempotencySession?.SaveResponse(payment);
  response.status(201).location(`/payments/${payment.id}`).json(payment);
});
const server = app.listen(port, "127.0.0.1", () => listening(server));
