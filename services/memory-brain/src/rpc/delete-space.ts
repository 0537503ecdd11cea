/** Spaces that are removed for good. */
import type { BrainPorts, SpaceAddress } from "../app/brain.ts";
import { checkShardNamed } from "../app/brain.ts";
import type { Caller } from "../domain/access.ts";
import { admit, callerAt, spaceMissing } from "../domain/access.ts";
import type { SpaceRow } from "../ports/directory.ts";

/**
 * Nobody finds the Space from the moment on that its row says that it is not there; then it is closed, and what is kept of it goes,
 * the row last. One that broke off is finished by a repeat, or by whoever takes the name. It is not opened for it, so one that
 * cannot be opened goes too. Throws `not_found` where there is none.
 */
export async function deleteSpace(ports: BrainPorts, address: SpaceAddress, caller: Caller): Promise<void> {
  const { directory, spaces, loading } = ports;
  const row = await removable(ports, address, caller);
  // Between this look and the next line nothing waits: of two removals one goes on.
  if (loading.has(row.creation)) throw spaceMissing(row.id);
  loading.add(row.creation);
  try {
    if (!spaces.isOpen(row.id)) await ports.seize(row);
    const leaving = await directory.update(row.id, { loading: true }, row.creation);
    if (leaving === null) throw spaceMissing(row.id);
    spaces.noteRow(leaving);
    await spaces.close(row.id);
    await ports.seize(row);
    await ports.discard(row);
    await directory.remove(row);
  } finally {
    loading.delete(row.creation);
  }
}

/** The Space's row, also where a removal or a load of it died half way; never one that somebody is at. */
async function removable(ports: BrainPorts, address: SpaceAddress, caller: Caller): Promise<SpaceRow> {
  const { space_id: id, shard, space_token: token = "" } = address;
  const row = ports.spaces.rowOf(id) ?? (await ports.directory.get(id));
  if (row === null) throw spaceMissing(id);
  callerAt("DeleteSpace", caller, row);
  admit("DeleteSpace", caller, row, token);
  const isLeft = ports.spaces.isOpen(id) || ports.isAbandoned(row);
  if (row.loading && !isLeft) throw spaceMissing(id);
  checkShardNamed(row, shard);
  return row;
}
