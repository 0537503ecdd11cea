/** Taking the name of a Space that is to be. */
import type { BrainPorts } from "../app/brain.ts";
import type { SpaceRow } from "../ports/directory.ts";
import { exists } from "./new-space.ts";

/**
 * Puts the row into the directory. A load that died half way leaves its name to the next one, with nothing behind: nobody
 * was promised any of it. Throws `already_exists` where the name belongs to a Space, or to a load that goes on.
 */
export async function reserveName(ports: BrainPorts, row: SpaceRow): Promise<void> {
  if ((await ports.directory.create(row)) === "created") return;
  const known = await ports.directory.get(row.id);
  if (known !== null) {
    const isDead = known.loading && !ports.loading.has(known.creation) && ports.isAbandoned(known);
    if (!isDead) throw exists(row.id);
    await ports.discard(known);
    await ports.directory.remove(known);
  }
  if ((await ports.directory.create(row)) === "exists") throw exists(row.id);
}
