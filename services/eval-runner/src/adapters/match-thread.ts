/** The thread of patterns: says when it is up, then answers one request after the other. */
import { parentPort } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";

import type { MatchAnswer, MatchRequest } from "./pattern-matcher.ts";

const port = parentPort as MessagePort;

function answer({ pattern, text, flags }: MatchRequest): MatchAnswer {
  try {
    return { matches: new RegExp(pattern, flags).test(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

port.on("message", (request: MatchRequest) => {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(answer(request));
});
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
port.postMessage("up");
