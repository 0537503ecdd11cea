/** What a list of addresses is to gRPC. */
import { isIPv4 } from "node:net";

import { MainspringError } from "@mainspring/kernel";

import { PEERS_SCHEME } from "./peer-resolver.ts";

/** `host:port`, or several separated by commas. Throws `invalid_argument` for what cannot be one. */
export function targetOf(addresses: string): string {
  const list = listOf(addresses).map((address) => address.replace(/^localhost:/, "127.0.0.1:"));
  if (list.every((address) => isIPv4(address.slice(0, address.lastIndexOf(":"))))) return `ipv4:${list.join(",")}`;
  return `${PEERS_SCHEME}:${list.join(",")}`;
}

/** The same by the names as they are given, which a certificate is checked against. */
export function namedTargetOf(addresses: string): string {
  return `${PEERS_SCHEME}:${listOf(addresses).join(",")}`;
}

function listOf(addresses: string): string[] {
  const list = addresses.split(",").map((address) => address.trim());
  for (const address of list) {
    if (!/^[^\s:/]+:\d{1,5}$/.test(address)) {
      throw new MainspringError("invalid_argument", `"${address}" is not an address of the form host:port`);
    }
  }
  return list;
}
