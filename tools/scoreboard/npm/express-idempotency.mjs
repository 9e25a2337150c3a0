// express-idempotency as its README shows it: the middleware on POST, and isHit in the handler.

import express from "express";
import idempotency from "express-idempotency";
import { effects, listening, pay, port } from "./payments.mjs";

const app = express();
app.use(express.json());
app.get("/effects", (request, response) => response.send(effects()));
app.post("*", idempotency.idempotency());
app.post("/payments", async (request, response) => {
  if (idempotency.getSharedIdempotencyService().isHit(request)) {
    return;
  }
  const payment = await pay();
  response.status(201).location(`/payments/${payment.id}`).json(payment);
});
const server = app.listen(port, "127.0.0.1", () => listening(server));
