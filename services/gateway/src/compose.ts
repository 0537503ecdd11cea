/** The only file that constructs the adapters of the gateway. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { EngineClient, MemoryBrainClient, ModelRouterClient } from "@mainspring/contracts";
import { MainspringError } from "@mainspring/kernel";
import type { Composed, Platform } from "@mainspring/service-kit";

import { loadAdminKey } from "./adapters/admin-key.ts";
import { Ed25519CwtVerifier } from "./adapters/cwt.ts";
import { GrpcEngineApi } from "./adapters/grpc-engine-api.ts";
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

const PEER_TIMEOUT_MS = 1_500;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

export interface GatewayPeers {
  readonly engine: EngineClient;
  readonly router: ModelRouterClient;
  readonly memory: MemoryBrainClient;
}

export interface ComposedGateway extends Composed {
  /** `http://host:port` once started. */
  readonly url: () => string;
  readonly adminKey: { readonly secret: string; readonly isNew: boolean };
}

type Settings = Pick<
  GatewayConfig,
  "port" | "host" | "adminKey" | "auth" | "dataDir" | "publicKeys" | "managers" | "httpConcurrency"
>;

export async function composeGateway(
  platform: Platform,
  peers: GatewayPeers,
  settings: Settings,
): Promise<ComposedGateway> {
  const { clock, random, logger, metrics, readiness, artifacts, traces } = platform;
  if (settings.auth === "off" && !LOOPBACK.has(settings.host)) {
    throw new MainspringError("invalid_argument", "MAINSPRING_AUTH=off works on loopback only; set HOST=127.0.0.1", {
      reason: "invalid_configuration",
    });
  }
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
  const app = httpApp({ engine, artifacts, clock, models, identities, readiness, metrics, logger, traces, ...spaces });
  const server = createServer(app);
  let address = "";
  return {
    registrations: [],
    adminKey,
    url: () => address,
    async start() {
      address = await listen(server, settings.port, settings.host);
    },
    async drain(graceMs) {
      await closeServer(server, graceMs);
    },
  };
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
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), Math.min(graceMs, 2_000));
  await closed;
  clearTimeout(timer);
}
