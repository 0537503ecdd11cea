import { expect, test } from "vitest";

import { namedTargetOf, targetOf } from "./grpc-target.ts";

test("one or several addresses become one gRPC target", () => {
  expect(targetOf("127.0.0.1:7001")).toBe("ipv4:127.0.0.1:7001");
  expect(targetOf("localhost:7001, 10.0.0.2:7001")).toBe("ipv4:127.0.0.1:7001,10.0.0.2:7001");
  expect(targetOf("engine-worker:7001")).toBe("peers:engine-worker:7001");
  expect(targetOf("a:1,10.0.0.2:2")).toBe("peers:a:1,10.0.0.2:2");
});

test("where certificates are checked, by the names as given", () => {
  expect(namedTargetOf("localhost:7001")).toBe("peers:localhost:7001");
});

test.each(["", "7001", "host", "http://host:1", "host:port"])("%j is refused", (addresses) => {
  const wrong = expect.objectContaining({ code: "invalid_argument" });
  expect(() => targetOf(addresses)).toThrow(wrong);
  expect(() => namedTargetOf(addresses)).toThrow(wrong);
});
