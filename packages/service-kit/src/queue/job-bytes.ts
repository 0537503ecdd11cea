import { MainspringError } from "@mainspring/kernel";

import { JOB_BYTES_MAX } from "./job-queue.ts";
import type { Job } from "./job-queue.ts";

/** Throws `invalid_argument` for a job that is more than a pointer. */
export function checkJobSize(queue: string, job: Job): void {
  const bytes = Buffer.byteLength(JSON.stringify(job));
  if (bytes > JOB_BYTES_MAX) {
    throw new MainspringError("invalid_argument", `a job of ${queue} has ${bytes} bytes, limit ${JOB_BYTES_MAX}`);
  }
}
