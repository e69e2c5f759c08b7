/** Number of keys to sort in one step, which takes a few milliseconds. */
const RUN_LENGTH = 8192

/**
 * Sorts row numbers by their keys, stably, in steps that are each short enough for one frame.
 *
 * It sorts the distinct keys with the engine's default comparison, which is several times faster than sorting
 * the row numbers with a comparison function.
 */
export function* sortRows(
  keys: readonly string[],
  runLength = RUN_LENGTH,
): Generator<undefined, Uint32Array> {
  const rows = Uint32Array.from(keys, (_, row) => row)
  if (keys.every((key, row) => row === 0 || keys[row - 1]! <= key)) return rows
  if (keys.every((key, row) => row === 0 || keys[row - 1]! >= key)) return rows.toReversed()
  yield

  const firstRow = new Map<string, number>()
  const nextRow = new Int32Array(keys.length)
  for (let row = keys.length - 1; row >= 0; row--) {
    const key = keys[row]!
    nextRow[row] = firstRow.get(key) ?? -1
    firstRow.set(key, row)
  }
  yield

  let place = 0
  for (const key of yield* sortTexts([...firstRow.keys()], runLength)) {
    for (let row = firstRow.get(key)!; row >= 0; row = nextRow[row]!) rows[place++] = row
  }
  return rows
}

function* sortTexts(
  texts: readonly string[],
  runLength: number,
): Generator<undefined, readonly string[]> {
  let runs: (readonly string[])[] = []
  for (let from = 0; from < texts.length; from += runLength) {
    // The default comparison is by code units, as with `<`.
    // oxlint-disable-next-line require-array-sort-compare
    runs.push(texts.slice(from, from + runLength).toSorted())
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(merge(runs[at]!, runs[at + 1] ?? []))
      yield
    }
    runs = merged
  }
  return runs[0] ?? []
}

function merge(one: readonly string[], other: readonly string[]): readonly string[] {
  const both: string[] = []
  let left = 0
  let right = 0
  while (left < one.length && right < other.length) {
    both.push(one[left]! < other[right]! ? one[left++]! : other[right++]!)
  }
  while (left < one.length) both.push(one[left++]!)
  while (right < other.length) both.push(other[right++]!)
  return both
}
