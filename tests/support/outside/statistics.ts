/** The value below which this fraction of the values is; the largest one for 1. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

interface Interval {
  low: number
  high: number
}

/** The 95 % confidence interval of the median, by bootstrapping. */
export function medianInterval(values: readonly number[], draws = 5_000): Interval {
  const medians = Array.from({ length: draws }, () =>
    median(values.map(() => values[Math.floor(Math.random() * values.length)]!)),
  )
  return { low: percentile(medians, 0.025), high: percentile(medians, 0.975) }
}

export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, sortKey: Math.random() }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item)
}
