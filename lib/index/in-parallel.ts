/** Performs work on each item, on `atOnce` of them at a time. Throws the first error. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atOnce: number,
  perform: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Iterator.from(items)
  const worker = async () => {
    for (const item of waiting) await perform(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
