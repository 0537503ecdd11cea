import { witnessTool } from "../witness-tool.ts";

export default witnessTool("witness_never", "never_retry");
