/**
 * How well values alone separate two samples (area under the ROC curve): the chance that a value of the first is the
 * larger one. 0.5 means not at all, 0 and 1 mean always.
 */
export function auc(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].toSorted((a, b) => a.value - b.value)
  let ranks = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]!.value === all[from]!.value) to += 1
    // Equal values share the middle of their ranks.
    const rank = (from + 1 + to) / 2
    ranks += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length
    from = to
  }
  const n = first.length
  return (ranks - (n * (n + 1)) / 2) / (n * second.length)
}

/** How far chance alone moves the AUC from 0.5, at the given number of standard deviations. */
export function aucTolerance(pairs: number, deviations: number): number {
  return deviations * Math.sqrt((2 * pairs + 1) / (12 * pairs * pairs))
}
