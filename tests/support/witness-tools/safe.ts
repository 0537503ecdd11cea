import { witnessTool } from "../witness-tool.ts";

export default witnessTool("witness_safe", "replay_safe");
