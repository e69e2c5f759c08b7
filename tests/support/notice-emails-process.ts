import { resolve } from 'node:path'
import { screens } from '@guidon/contract/screens'
import { EVENTS } from '../../api/src/features/notices/decide.ts'
import type { NoticeEvent } from '../../api/src/features/notices/decide.ts'
import { noticesMessage } from '../../api/src/features/notices/message.ts'
import { brandFor } from '../../api/src/mail/layout.ts'
import { readBrand } from '../../api/src/platform/brand.ts'

/** Prints the HTML of every notice as JSON, by its name. For `npm run screens`: causing each would take days. */
const { brand, stages } = readBrand(resolve(import.meta.dirname, '../../brand'))
const portal = 'https://portal.guidon.example'
const link = `${portal}${screens.unsubscribe}?token=abc`
const every = Object.keys(EVENTS) as NoticeEvent[]
const emails: Record<string, NoticeEvent[]> = {
  ...Object.fromEntries(every.map((event) => [event, [event]])),
  'several documents': ['documentRequested', 'documentRequested'],
  everything: every,
}
const rendered = Object.entries(emails).map(async ([name, events]) => {
  const items = events.map((event) => ({
    event,
    date: '2026-12-01',
    time: '14:30',
    stage: stages[1]!.key,
  }))
  const parts = { brand: brandFor(brand, 'Utah'), stages, portal, link }
  return [name, (await noticesMessage(parts, items)).html] as const
})
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(rendered))))
