import { closeOnSignal } from '../close-on-signal.ts'
import { startBox } from './box.ts'

const box = await startBox({
  host: process.env['SANDBOX_HOST'] ?? '127.0.0.1',
  port: Number(process.env['BOX_SANDBOX_PORT'] ?? 8072),
})

console.log(`Sandbox Box, development and tests only: ${box.url} (uploads: ${box.uploadUrl})`)

closeOnSignal(box)
