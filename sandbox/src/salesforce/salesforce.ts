import { createServer } from 'node:http'
import { listen } from '../http-server.ts'
import { controlHandler } from './control/control.ts'
import type { Resolution } from './data/clock.ts'
import { Org } from './data/org.ts'
import { persistOrg } from './data/persist.ts'
import { withStateCodes } from './data/state-codes.ts'
import type { Input } from './data/validate.ts'
import { Faults } from './faults.ts'
import { dataApi } from './rest/data-api.ts'
import { servicesHandler } from './rest/services.ts'
import { SANDBOX_CLIENT, Sessions } from './rest/sessions.ts'
import type { Client } from './rest/sessions.ts'
import { Schema } from './schema/schema.ts'
import { loadMetadataRecords, loadSchema } from './schema/source.ts'
import type { MetadataRecord } from './schema/source.ts'
import { seed } from './seed.ts'
import { UsageCounter } from './usage.ts'

export interface SalesforceOptions {
  /** 0: any free port. */
  port?: number
  host?: string
  /** The OAuth client (id and secret) that may request tokens. */
  client?: Client
  /** Calls a day. */
  dailyLimit?: number
  /** Keeps the rows between runs; without it they are lost with the process. */
  file?: string
  /** The resolution of `SystemModstamp`; a real org has seconds. */
  resolution?: Resolution
  /** An org with State and Country picklists. */
  stateCodes?: boolean
}

export interface Salesforce {
  /** One address for everything: login URL, instance URL, page for developers and control requests. */
  url: string
  /** Adds rows, even a million, without HTTP requests, and returns their ids. */
  load(object: string, rows: Iterable<Input>): string[]
  /** Removes rows without a trace, as if the recycle bin had been emptied. */
  purge(object: string, ids: readonly string[]): void
  reset(): void
  /** Whether it started with the rows of an earlier run. */
  resumed: boolean
  close(): Promise<void>
}

/** The metadata in `salesforce/`. Reading it takes longer than starting the sandbox, so each process reads it once. */
let source: { schema: Schema; records: MetadataRecord[] } | undefined

/** Implements Salesforce's HTTP API in memory. For development and tests only. */
export async function startSalesforce(options: SalesforceOptions = {}): Promise<Salesforce> {
  const { port = 0, host = '127.0.0.1', client = SANDBOX_CLIENT } = options
  const { schema, records } = (source ??= {
    schema: loadSchema(),
    records: loadMetadataRecords(),
  })
  const { objects } = schema
  const orgSchema = new Schema(options.stateCodes === true ? withStateCodes(objects) : objects)
  const org = new Org(orgSchema, options.resolution ?? 'milliseconds')
  const usage = new UsageCounter(options.dailyLimit ?? 100_000)
  const faults = new Faults()
  const sessions = new Sessions(client)
  const reset = () => {
    faults.set({ mode: 'none' })
    orgSchema.hide([])
    usage.reset()
    org.clear()
    seed(org, records)
  }
  reset()
  const persisted = options.file === undefined ? undefined : persistOrg(options.file, org)

  const services = servicesHandler({ api: dataApi(org, usage), sessions, usage, faults })
  const control = controlHandler({ org, usage, faults, reset })
  const server = createServer((request, response) => {
    const handle = request.url?.startsWith('/services/') === true ? services : control
    handle(request, response).catch((error: unknown) => {
      // A client that disconnects is not an error of the sandbox.
      if (!request.destroyed) console.error(error)
      response.destroy()
    })
  })
  const http = await listen(server, { host, port })
  let closed: Promise<void> | undefined
  const close = async () => {
    persisted?.close()
    faults.release()
    await http.close()
  }
  return {
    url: `http://${host}:${http.port}`,
    load: (object, rows) => org.load(object, rows),
    purge: (object, ids) => org.purge(object, ids),
    reset,
    resumed: persisted?.found ?? false,
    close: () => (closed ??= close()),
  }
}
