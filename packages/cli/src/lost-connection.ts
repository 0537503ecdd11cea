/** What is said to whoever follows a run while its server cannot be reached. */
import type { MainspringError } from "@mainspring/kernel";

/** Tries in a row before it is said: some seconds, so that a restart goes by unseen. */
const QUIET_TRIES = 5;

export class LostConnection {
  readonly #follow: string;
  readonly #say: (sentence: string) => void;
  #said = false;

  constructor(session: string, run: string, say: (sentence: string) => void) {
    this.#follow = `mainspring events ${session} --run ${run} --follow`;
    this.#say = say;
  }

  /** `tries`: how often in a row nothing came. */
  tried(tries: number): void {
    if (tries < QUIET_TRIES || this.#said) return;
    this.#said = true;
    this.#say("the connection to the server was lost; trying again");
  }

  /** Something came. */
  found(): void {
    if (this.#said) this.#say("connected again");
    this.#said = false;
  }

  /** Nothing is tried any more. */
  gaveUp({ code }: MainspringError): void {
    if (code === "unavailable") this.#say(`the run goes on when a server is back; follow it with: ${this.#follow}`);
  }
}
