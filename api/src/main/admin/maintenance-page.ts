import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { telHref } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'
import { escapeHtml } from '../../http/page.ts'

const PAGE = resolve(import.meta.dirname, '../../../../deploy/maintenance.html')

/** The page that the balancer shows while no API responds, with the name and the phone number of the brand. */
export function maintenancePage({ name, phone }: Pick<Brand, 'name' | 'phone'>): string {
  const call = `<p>If you need us now, call <a href="${telHref(phone)}">${escapeHtml(phone)}</a>.</p>`
  return readFileSync(PAGE, 'utf8')
    .replace('<!--guidon:name-->', () => `<p class="name">${escapeHtml(name)}</p>`)
    .replace('<!--guidon:phone-->', () => call)
}
