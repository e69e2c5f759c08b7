import { closeOnSignal } from '../close-on-signal.ts'
import { startSalesforce } from './salesforce.ts'

const salesforce = await startSalesforce({
  host: process.env['SANDBOX_HOST'] ?? '127.0.0.1',
  port: Number(process.env['SALESFORCE_SANDBOX_PORT'] ?? 8071),
})

console.log(`Sandbox Salesforce, development and tests only: ${salesforce.url}`)

closeOnSignal(salesforce)
