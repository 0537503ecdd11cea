/** Moves the messages of a handler to its caller, at the caller's pace, until either side ends. */

/**
 * Resolves when the source ended or the signal aborted; rejects with what the source threw. `write` returns a promise
 * when the writer has to wait. On abort the source is closed and not waited for.
 */
export function pump<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  write: (item: T) => Promise<void> | undefined,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]();
  const move = async (): Promise<void> => {
    while (!signal.aborted) {
      const step = await iterator.next();
      if (step.done === true || signal.aborted) return;
      const room = write(step.value);
      if (room !== undefined) await room;
    }
  };
  return new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      iterator.return?.().then(undefined, () => undefined);
      resolve();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (): void => signal.removeEventListener("abort", onAbort);
    move().then(
      () => (settle(), resolve()),
      (thrown: unknown) => {
        settle();
        iterator.return?.().then(undefined, () => undefined);
        reject(thrown);
      },
    );
  });
}
