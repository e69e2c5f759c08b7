import { startBox } from '@guidon/sandbox/box/box'
import type { BoxOptions } from '@guidon/sandbox/box/box'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { boxFiles } from '../../../api/src/files/box/box-files.ts'
import type { BoxFilesOptions } from '../../../api/src/files/box/box-files.ts'
import type { FilesUnderTest } from './files-suite.ts'

/** Long enough for a busy machine, short enough for a test. */
const TIMEOUT_MS = 2_000

const LIMITS = {
  minSessionBytes: 200_000,
  partSize: 100_000,
  callsPerMinute: 1e6,
  uploadsPerMinute: 1e6,
}

/** A Box sandbox, and the adapter's options for it. */
export async function startBoxSandbox(limits?: BoxOptions['limits']) {
  const box = await startBox(limits ? { limits } : {})
  const { url: apiUrl, uploadUrl, credentials } = box
  const options = { ...credentials, rootFolderId: '0', apiUrl, uploadUrl }
  return { box, sandbox: new BoxSandboxClient(apiUrl), options }
}

/** The Box adapter with its own sandbox, whose part sizes are small. */
export async function startBoxStore(changes: Partial<BoxFilesOptions> = {}, limits = {}) {
  const { box, sandbox, options } = await startBoxSandbox({ ...LIMITS, ...limits })
  const warnings: object[] = []
  const files = boxFiles({
    ...options,
    timeoutMs: TIMEOUT_MS,
    bytesTimeoutMs: TIMEOUT_MS,
    callsPerMinute: 1e6,
    uploadsPerMinute: 1e6,
    inPartsFrom: LIMITS.minSessionBytes,
    log: { warn: (fields, message) => warnings.push({ ...fields, message }) },
    ...changes,
  })
  const store: FilesUnderTest = {
    files,
    inPartsFrom: LIMITS.minSessionBytes,
    stored: (folderId) => sandbox.files(folderId),
    folders: () => sandbox.folders(),
    bytes: (id) => sandbox.bytes(id),
    writeDirectly: (folderId, name, bytes) =>
      sandbox.addFile(folderId, name, Uint8Array.from(bytes)),
    move: (fileId, toFolder) => sandbox.moveFile(fileId, toFolder),
    fault: (fault) =>
      sandbox.fault({ ...fault, delayMs: TIMEOUT_MS + 500 } as Parameters<typeof sandbox.fault>[0]),
    reset: () => sandbox.reset(),
    close: async () => {
      await files.close()
      await box.close()
    },
  }
  return { store, sandbox, warnings }
}
