import { Faults } from './faults.ts'
import { startHttp } from './http.ts'
import { UPLOAD_PREFIX } from './routes.ts'
import { BOX_LIMITS, BoxState } from './state.ts'
import type { Limits } from './state.ts'
import type { Credentials } from './tokens.ts'

/** Public in this repository: they protect no real data. */
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
  /** Instead of Box's own limits. */
  limits?: Partial<Limits>
}

export interface Box {
  /** Serves Box's API, the page for developers, and the control addresses for tests. */
  url: string
  /** Stands for Box's upload host. */
  uploadUrl: string
  credentials: Credentials
  /** Contains the bytes of the files until the sandbox is closed. */
  folder: string
  close(): Promise<void>
}

/** Implements Box's HTTP API and keeps files until it is closed. For development and tests only. */
export async function startBox(options: BoxOptions = {}): Promise<Box> {
  const { port = 0, host = '127.0.0.1', credentials = SANDBOX_CREDENTIALS, limits = {} } = options
  const state = await BoxState.open(credentials, { ...BOX_LIMITS, ...limits })
  const faults = new Faults()
  try {
    const http = await startHttp(state, faults, { host, port })
    const url = `http://${host}:${http.port}`
    return {
      url,
      uploadUrl: url + UPLOAD_PREFIX,
      credentials,
      folder: state.blobs.folder,
      async close() {
        await http.close()
        await state.blobs.close()
      },
    }
  } catch (error) {
    await state.blobs.close()
    throw error
  }
}
