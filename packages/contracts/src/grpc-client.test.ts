import { expect, test } from "vitest";

import { targetOf } from "./grpc-client.ts";

test("one or several addresses become one gRPC target", () => {
  expect(targetOf("127.0.0.1:7001")).toBe("ipv4:127.0.0.1:7001");
  expect(targetOf("localhost:7001, 10.0.0.2:7001")).toBe("ipv4:127.0.0.1:7001,10.0.0.2:7001");
  expect(targetOf("engine-worker:7001")).toBe("peers:engine-worker:7001");
  expect(targetOf("a:1,10.0.0.2:2")).toBe("peers:a:1,10.0.0.2:2");
});

test.each(["", "7001", "host", "http://host:1", "host:port"])("%j is refused", (addresses) => {
  expect(() => targetOf(addresses)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});
