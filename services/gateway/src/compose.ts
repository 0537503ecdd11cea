/** The only file that constructs the adapters of the gateway. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { serveGrpc } from "@mainspring/contracts";
import type {
  EngineClient,
  EvalRunnerClient,
  GrpcServer,
  MemoryBrainClient,
  ModelRouterClient,
} from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import type { Composed, Platform } from "@mainspring/service-kit";

import { loadAdminKey } from "./adapters/admin-key.ts";
import { Ed25519CwtVerifier } from "./adapters/cwt.ts";
import { GrpcEngineApi } from "./adapters/grpc-engine-api.ts";
import { GrpcEvalApi } from "./adapters/grpc-eval-api.ts";
import { GrpcMemoryApi } from "./adapters/grpc-memory-api.ts";
import { grpcModelCatalogue } from "./adapters/grpc-model-catalogue.ts";
import { MongoKeyStore } from "./adapters/mongo-key-store.ts";
import { openSqliteKeyStore } from "./adapters/sqlite-key-store.ts";
import { Identities } from "./app/identity.ts";
import { ModelList } from "./app/model-list.ts";
import { SpaceIdentities } from "./app/space-identity.ts";
import type { GatewayConfig } from "./config.ts";
import { httpApp } from "./http/app.ts";
import { Admission } from "./http/spaces/admission.ts";
import { publicServices } from "./rpc/public-services.ts";

/** Headers of a request with its line: a query of 4,096 characters fits in, whatever its script. */
const HEADER_BYTES_MAX = 64 * 1024;

const PEER_TIMEOUT_MS = 1_500;
/** How long streams may go on when the gateway is to stop; their readers go on at another one. */
const STREAMS_GRACE_MS = 2_000;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

export interface GatewayPeers {
  readonly engine: EngineClient;
  readonly router: ModelRouterClient;
  readonly memory: MemoryBrainClient;
  /** Null: no experiments here. */
  readonly evals: EvalRunnerClient | null;
}

export interface ComposedGateway extends Composed {
  /** `http://host:port` once started; empty when it does not listen. */
  readonly url: () => string;
  /** Takes connections of its own process too. */
  readonly server: Server;
  /** `host:port` of the public gRPC server once started; null without one. */
  readonly grpc: () => string | null;
  readonly adminKey: { readonly secret: string; readonly isNew: boolean };
}

type Settings = Pick<
  GatewayConfig,
  "port" | "host" | "grpcListen" | "adminKey" | "auth" | "dataDir" | "publicKeys" | "managers" | "httpConcurrency"
>;

export async function composeGateway(
  platform: Platform,
  peers: GatewayPeers,
  settings: Settings,
  listens = true,
): Promise<ComposedGateway> {
  const { clock, random, logger, metrics, readiness, artifacts, traces } = platform;
  checkOpenness(settings);
  const { stores } = platform;
  const keys =
    stores.kind === "sqlite" ? await openSqliteKeyStore(stores.thread) : new MongoKeyStore(stores.connection);
  const adminKey = loadAdminKey(settings.adminKey, settings.dataDir);
  const identitySettings = { adminKey: adminKey.secret, required: settings.auth === "on" };
  const identities = new Identities({ keys, clock, random }, identitySettings);
  const engine = new GrpcEngineApi(peers.engine, artifacts);
  const models = new ModelList(grpcModelCatalogue(peers.router), engine, clock);
  readiness.add("engine-worker", async () => void (await peers.engine.ListAgents({}, { timeoutMs: PEER_TIMEOUT_MS })));
  const spacePorts = { identities, cwt: new Ed25519CwtVerifier(settings.publicKeys), clock };
  const spaces = {
    memory: new GrpcMemoryApi(peers.memory),
    spaceIdentities: new SpaceIdentities(spacePorts, settings.managers),
    admission: new Admission(settings.httpConcurrency),
  };
  metrics.gauge("mainspring_space_requests", "Requests to Spaces being served.", () => spaces.admission.admitted);
  const evals = new GrpcEvalApi(peers.evals);
  const ports = { engine, evals, artifacts, clock, models, identities, readiness, metrics, logger, traces };
  const app = httpApp({ ...ports, ...spaces });
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, app);
  const registrations = publicServices({ ...spaces, ...peers, identities });
  let address = "";
  let grpc: GrpcServer | null = null;
  return {
    registrations: [],
    adminKey,
    url: () => address,
    server,
    grpc: () => grpc?.address ?? null,
    async start() {
      if (!listens) return;
      address = await listen(server, settings.port, settings.host);
      if (settings.grpcListen === undefined) return;
      const onUnexpected = (method: string, error: unknown): void =>
        logger.error({ method, error }, "a call failed unexpectedly");
      grpc = await serveGrpc(registrations, { listen: settings.grpcListen, onUnexpected, isPublic: true });
    },
    tellReady: (ready) => {
      for (const { name } of registrations) grpc?.setServing(name, ready);
    },
    async drain(graceMs) {
      await Promise.all([closeServer(server, graceMs), grpc?.drain(Math.min(graceMs, STREAMS_GRACE_MS))]);
    },
  };
}

/** Without authentication nothing is served to other machines. Throws `invalid_argument`. */
function checkOpenness({ auth, host, grpcListen }: Settings): void {
  if (auth === "on") return;
  const hosts = [host, ...(grpcListen === undefined ? [] : [grpcListen.slice(0, grpcListen.lastIndexOf(":"))])];
  if (hosts.every((name) => LOOPBACK.has(name))) return;
  const message = "MAINSPRING_AUTH=off works on loopback only; set HOST=127.0.0.1 and gRPC to 127.0.0.1";
  throw new MainspringError("invalid_argument", message, { reason: "invalid_configuration" });
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      const message = taken ? `PORT ${port} on ${host} is taken; choose another with PORT or --port` : cause.message;
      reject(new MainspringError("failed_precondition", message, { cause, reason: "cannot_listen" }));
    });
    server.listen(port, host, () => {
      const bound = server.address() as AddressInfo;
      const shown = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
      resolve(`http://${shown}:${bound.port}`);
    });
  });
}

/** Takes no new connections, lets requests end, and breaks off the streams that are left. */
async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return server.closeAllConnections();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), Math.min(graceMs, STREAMS_GRACE_MS));
  await closed;
  clearTimeout(timer);
}
