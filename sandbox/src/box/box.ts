import { Faults } from './faults.ts'
import { BOX_LIMITS, House } from './house.ts'
import type { Limits } from './house.ts'
import { startHttp } from './http.ts'
import type { Credentials } from './tokens.ts'
import { UPLOAD_PREFIX } from './wire.ts'

/** Known to everybody: nothing of worth is behind them. */
export const SANDBOX_CREDENTIALS: Credentials = {
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  enterpriseId: '424242',
}

export interface BoxOptions {
  /** 0: any free port. */
  port?: number
  host?: string
  credentials?: Credentials
  /** Instead of Box's own numbers. */
  limits?: Partial<Limits>
}

export interface Box {
  /** Box's API, the page, and the addresses by which tests give orders. */
  url: string
  /** Where Box takes bytes. */
  uploadUrl: string
  credentials: Credentials
  /** Where the bytes of files are while it runs. */
  folder: string
  close(): Promise<void>
}

/** Speaks Box's wire and keeps files until it is closed. For development and tests only. */
export async function startBox(options: BoxOptions = {}): Promise<Box> {
  const { port = 0, host = '127.0.0.1', credentials = SANDBOX_CREDENTIALS, limits = {} } = options
  const house = await House.open(credentials, { ...BOX_LIMITS, ...limits })
  const faults = new Faults()
  try {
    const http = await startHttp(house, faults, { host, port })
    const url = `http://${host}:${http.port}`
    return {
      url,
      uploadUrl: url + UPLOAD_PREFIX,
      credentials,
      folder: house.blobs.folder,
      async close() {
        await http.close()
        await house.blobs.close()
      },
    }
  } catch (error) {
    await house.blobs.close()
    throw error
  }
}
