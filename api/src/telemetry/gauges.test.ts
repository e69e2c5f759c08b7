import { emptyResource } from '@opentelemetry/resources'
import { expect, it } from 'vitest'
import { gaugeRegistry } from './gauges.ts'

it('does not wait for a read that hangs, and does not start it again at each scrape', async () => {
  const warned: object[] = []
  const all = gaugeRegistry(emptyResource(), { warn: (fields: object) => warned.push(fields) }, 20)
  const pending = Promise.withResolvers<number>()
  let reads = 0
  all.add({
    sourceName: 'slow',
    gauges: { slow: 'Takes its time' },
    read: async () => {
      reads += 1
      return { slow: await pending.promise }
    },
  })
  all.add({ sourceName: 'fast', gauges: { fast: 'Is there' }, read: () => ({ fast: 1 }) })
  const names = async () => {
    const { resourceMetrics } = await all.collect()
    return resourceMetrics.scopeMetrics[0]!.metrics.map(({ descriptor }) => descriptor.name)
  }
  expect(await names()).toEqual(['fast'])
  expect(await names()).toEqual(['fast'])
  expect(reads).toBe(1)
  expect(warned).toMatchObject([{ kind: 'slow' }, { kind: 'slow' }])
  pending.resolve(7)
  expect(await names()).toEqual(['slow', 'fast'])
})
