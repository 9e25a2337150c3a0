// @node-idempotency/nestjs with its memory storage: the module, and @Idempotent() on the controller.

import "reflect-metadata";
import common from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import nodeIdempotency from "@node-idempotency/nestjs";
import { effects, listening, pay, port } from "./payments.mjs";

const { Controller, Get, Header, HttpCode, Module, Post } = common;
const { Idempotent, NodeIdempotencyModule, StorageAdapterEnum } = nodeIdempotency;

class Payments {
  create() {
    return pay();
  }

  effects() {
    return effects();
  }
}

// What TypeScript makes of decorators.
function decorate(method, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(Payments.prototype, method);
  decorators.forEach((each) => each(Payments.prototype, method, descriptor));
  Object.defineProperty(Payments.prototype, method, descriptor);
}
decorate("create", Idempotent(), HttpCode(201), Post("/payments"));
decorate("effects", Header("Content-Type", "text/plain"), Get("/effects"));
Controller()(Payments);

class App {}
Module({
  imports: [NodeIdempotencyModule.forRootAsync({ storage: { adapter: StorageAdapterEnum.memory } })],
  controllers: [Payments],
})(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(port, "127.0.0.1");
listening(app.getHttpServer());
