/** One span for each served call that belongs to a trace, whatever the transport. Calls without a trace make none. */
import type { CallContext } from "./contract.ts";
import { openSpan, TENANT_ATTRIBUTE } from "./tracing.ts";

/** Runs a unary handler in its span. `path` is `/package.Service/Method`. */
export async function inCallSpan<T>(
  path: string,
  callContext: CallContext,
  handle: (inner: CallContext) => Promise<T>,
): Promise<T> {
  if (callContext.traceparent === "") return handle(callContext);
  const [, service = "", method = ""] = path.split("/");
  const span = openSpan(serviceOf(service), `${service}/${method}`, {
    parent: callContext.traceparent,
    kind: "server",
    attributes: {
      "rpc.system.name": "grpc",
      "rpc.method": `${service}/${method}`,
      [TENANT_ATTRIBUTE]: callContext.principal.tenant,
    },
  });
  try {
    const result = await span.run(() => handle({ ...callContext, traceparent: span.traceparent }));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** `mainspring.tool_runner.v1.ToolRunnerService` belongs to `tool-runner`. */
function serviceOf(name: string): string {
  const service = name.split(".")[1] ?? name;
  return service === "engine" ? "engine-worker" : service.replace("_", "-");
}
