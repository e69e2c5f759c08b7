/** One value, one for each set of labels, or null if there is nothing to report. */
export type GaugeValue =
  | number
  | null
  | readonly { labels: Record<string, string>; value: number }[]

/** Gauges that are read together at each scrape. */
export interface GaugeSource<Name extends string = string> {
  /** Names the source if a read fails. */
  sourceName: string
  /** The help text of each gauge, by its name. */
  gauges: Record<Name, string>
  read(): Record<Name, GaugeValue> | Promise<Record<Name, GaugeValue>>
}

/** Infers the names of the gauges, so that `read` must return each of them. */
export function gaugeSource<Name extends string>(source: GaugeSource<Name>): GaugeSource {
  return source
}
