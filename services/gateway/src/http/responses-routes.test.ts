import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { silentLogger } from "@mainspring/service-kit";
import { expect, test } from "vitest";

import type { HttpPorts } from "./app.ts";
import { httpApp } from "./app.ts";
import { Admission } from "./spaces/admission.ts";

test("a run without a spec is no response", async () => {
  const counter = { inc: () => undefined, observe: () => undefined };
  const ports = {
    metrics: { counter: () => counter, duration: () => counter },
    logger: silentLogger,
    admission: new Admission(1),
    identities: { identify: () => Promise.resolve({ tenant: "default", subject: "admin", scopes: [] }) },
    engine: { getRun: (_caller: unknown, id: string) => Promise.resolve({ id, spec: null }) },
  };
  const server = createServer(httpApp(ports as unknown as HttpPorts));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/v1/responses/resp_${"a".repeat(48)}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "response_not_found" } });
  } finally {
    server.close();
  }
});
