import { freePort } from '@guidon/sandbox/free-port'

/** One line of the Prometheus text format. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Settings of a process with metrics. */
export const newMetricsAddress = async () => ({
  METRICS_HOST: '127.0.0.1',
  METRICS_PORT: await freePort(),
})

export async function scrape(port: number): Promise<Sample[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  return (await response.text())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(sampleOf)
}

function sampleOf(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])),
    value: Number(value),
  }
}

/** The sum of a metric over all series with these labels; undefined if there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  if (found.length === 0) return undefined
  return found.reduce((sum, { value }) => sum + value, 0)
}
