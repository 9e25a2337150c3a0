// The same API without any protection: what the others are measured against, and what the gateway protects.

import express from "express";
import { effects, listening, pay, port } from "./payments.mjs";

const app = express();
app.use(express.json());
app.get("/effects", (request, response) => response.send(effects()));
app.post("/payments", async (request, response) => {
  const payment = await pay();
  response.status(201).location(`/payments/${payment.id}`).json(payment);
});
const server = app.listen(port, "127.0.0.1", () => listening(server));
