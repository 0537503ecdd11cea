/** How many memory requests are served at once; past that they are refused at the door. */
import { MainspringError } from "@mainspring/kernel";
import type { Request, RequestHandler, Response } from "express";

import { settle } from "../problem.ts";

export class Admission {
  readonly #max: number;
  #admitted = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get admitted(): number {
    return this.#admitted;
  }

  /** Takes a place and returns what gives it back. Throws `unavailable` when all are taken. */
  admit(): () => void {
    if (this.#admitted >= this.#max) {
      const message = `${this.#max} requests to Spaces are being served; try again`;
      throw new MainspringError("unavailable", message, { reason: "too_many_requests", retry: { afterMs: 1_000 } });
    }
    this.#admitted += 1;
    return () => void (this.#admitted -= 1);
  }

  /** Admits a request, or answers 503. */
  readonly enter: RequestHandler = (_request, response, next) => {
    void settle(() => {
      const leave = this.admit();
      // A client that leaves does not end what it asked for, so its place is taken until both have ended.
      response.once("close", () => {
        const work = (response.locals["work"] ?? Promise.resolve()) as Promise<void>;
        void work.then(leave);
      });
      next();
    }, next);
  };
}

/** A handler whose work counts as going on after its client left. */
export function admitted(work: (request: Request, response: Response) => Promise<void>): RequestHandler {
  return (request, response, next) => {
    response.locals["work"] = settle(() => work(request, response), next);
  };
}
