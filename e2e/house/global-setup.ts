import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onImage } from '@guidon/sandbox/stack/image'
import { fileLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { build } from './build.ts'
import { startPeopleDesk } from './people-desk.ts'

/**
 * One house for all journeys, as it would run: two API processes behind a balancer that takes turns, and
 * two workers. So every journey also shows that no process keeps anything to itself. With the root of an
 * image in GUIDON_IMAGE_ROOT, they are the image's.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const image = process.env['GUIDON_IMAGE_ROOT']
  if (!image) build()
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-e2e-'))
  const logFile = resolve(import.meta.dirname, '../test-results/house.log')
  rmSync(logFile, { force: true })
  const stack = await startStack({
    dataDir,
    mode: 'production',
    apis: 2,
    workers: 2,
    balancer: true,
    durable: false,
    // What the staff change in the CRM is waited for here.
    env: { CRM_POLL_SECONDS: '2', ...(image && onImage(image).env) },
    ...(image && onImage(image).commands),
    log: fileLog(logFile),
  })
  const desk = await startPeopleDesk(stack.admin)
  process.env['GUIDON_PORTAL'] = stack.urls.portal
  process.env['GUIDON_MAILBOX'] = stack.urls.mailbox
  process.env['GUIDON_SALESFORCE'] = stack.urls.salesforce
  process.env['GUIDON_BOX'] = stack.urls.box
  process.env['GUIDON_PEOPLE_DESK'] = desk.url
  return async () => {
    await desk.close()
    await stack.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
