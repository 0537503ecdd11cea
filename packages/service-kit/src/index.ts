export { BeatWatch, startBeating } from "./beats/beats.ts";
export type { BeatingOptions, BeatRow } from "./beats/beats.ts";
export { isPassing, persist } from "./patience.ts";
export { ARTIFACT_BYTES_MAX } from "./artifacts/artifact-store.ts";
export type { ArtifactStore } from "./artifacts/artifact-store.ts";
export { BUS_MESSAGE_BYTES_MAX } from "./bus/live-bus.ts";
export type { LiveBus, RetainOptions, Unsubscribe } from "./bus/live-bus.ts";
export { JOB_BYTES_MAX } from "./queue/job-queue.ts";
export type { Consumer, ConsumeOptions, Job, JobQueue } from "./queue/job-queue.ts";
