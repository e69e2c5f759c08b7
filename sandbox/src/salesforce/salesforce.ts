import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { control } from './control/control.ts'
import type { Resolution } from './data/clock.ts'
import { keepIn } from './data/keep.ts'
import { Org } from './data/org.ts'
import type { Input } from './data/prepare.ts'
import { Faults } from './faults.ts'
import { dataApi } from './rest/data-api.ts'
import { SANDBOX_CLIENT, Sessions } from './rest/sessions.ts'
import type { Client } from './rest/sessions.ts'
import { wire } from './rest/wire.ts'
import { loadMetadataRecords, loadSchema } from './schema/source.ts'
import { seed } from './seed.ts'
import { UsageCounter } from './usage.ts'

export interface SalesforceOptions {
  /** 0: any free port. */
  port?: number
  host?: string
  /** Who may ask for a token. */
  client?: Client
  /** Calls a day. */
  dailyLimit?: number
  /** Where its rows are kept from run to run; without it they go with the process. */
  file?: string
  /** How fine `SystemModstamp` is; an org counts in seconds. */
  resolution?: Resolution
}

export interface Salesforce {
  /** The login URL, the instance URL, the staff's page and the control, all in one. */
  url: string
  /** Puts rows in without the wire, a million if need be, and answers their ids. */
  load(object: string, rows: Iterable<Input>): string[]
  reset(): void
  /** Whether it went on with the rows of an earlier run. */
  resumed: boolean
  close(): Promise<void>
}

/** Speaks Salesforce's wire from memory. For development and tests only. */
export async function startSalesforce(options: SalesforceOptions = {}): Promise<Salesforce> {
  const { port = 0, host = '127.0.0.1', client = SANDBOX_CLIENT } = options
  const org = new Org(loadSchema(), options.resolution ?? 'milliseconds')
  const records = loadMetadataRecords()
  const usage = new UsageCounter(options.dailyLimit ?? 100_000)
  const faults = new Faults()
  const sessions = new Sessions(client)
  const reset = () => {
    faults.set({ mode: 'none' })
    usage.reset()
    org.clear()
    seed(org, records)
  }
  reset()
  const kept = options.file === undefined ? undefined : keepIn(options.file, org)

  const services = wire({ api: dataApi(org, usage), sessions, usage, faults })
  const rest = control({ org, usage, faults, reset })
  const server = createServer((request, response) => {
    const serve = request.url?.startsWith('/services/') === true ? services : rest
    serve(request, response).catch((error: unknown) => {
      // A client that leaves in the middle is not news; anything else is a fault of the sandbox.
      if (!request.destroyed) console.error(error)
      response.destroy()
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    load: (object, rows) => org.load(object, rows),
    reset,
    resumed: kept?.found ?? false,
    async close() {
      if (!server.listening) return
      kept?.close()
      faults.release()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
