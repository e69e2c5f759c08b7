/**
 * Area under the ROC curve: the probability that a value of the first sample is larger than a value of the second.
 * At 0.5 the values do not distinguish the samples, at 0 or 1 they always do.
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
    // Equal values get the mean of their ranks.
    const rank = (from + 1 + to) / 2
    ranks += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length
    from = to
  }
  const n = first.length
  return (ranks - (n * (n + 1)) / 2) / (n * second.length)
}

/** Returns this many standard deviations of the AUC of two samples of the same size and distribution. */
export function aucTolerance(sampleSize: number, deviations: number): number {
  return deviations * Math.sqrt((2 * sampleSize + 1) / (12 * sampleSize * sampleSize))
}
