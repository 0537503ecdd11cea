/** Output items in the shapes of the Responses API. Ids are derived, so live and replayed streams agree. */

export interface ResponseItem {
  readonly id: string;
  readonly type: "message" | "reasoning" | "function_call" | "mcp_call";
  status: "in_progress" | "completed" | "incomplete" | "failed";
  [field: string]: unknown;
}

/** Label of the server tools in `mcp_call` items. */
export const SERVER_LABEL = "mainspring";

export interface OutputPlace {
  /** The run's id without its prefix. */
  readonly run: string;
  readonly step: number;
  readonly attempt: number;
  readonly item: number;
}

const PREFIX = { message: "msg", reasoning: "rs", function_call: "fc", mcp_call: "mcp" } as const;

export function itemId(type: ResponseItem["type"], place: OutputPlace): string {
  return `${PREFIX[type]}_${place.run}_${place.step}_${place.attempt}_${place.item}`;
}

export function openItem(
  type: ResponseItem["type"],
  place: OutputPlace,
  call: { readonly callId: string; readonly name: string },
): ResponseItem {
  const base = { id: itemId(type, place), type, status: "in_progress" as const };
  switch (type) {
    case "message":
      return { ...base, role: "assistant", content: [] };
    case "reasoning":
      return { ...base, summary: [] };
    case "function_call":
      return { ...base, call_id: call.callId, name: call.name, arguments: "" };
    case "mcp_call":
      return {
        ...base,
        server_label: SERVER_LABEL,
        name: call.name,
        arguments: "",
        output: null,
        error: null,
        approval_request_id: null,
      };
  }
}

export function textPart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

export function summaryPart(text: string) {
  return { type: "summary_text", text };
}
