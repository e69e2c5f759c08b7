import type { Endpoint } from '@guidon/contract/endpoint'
import { screens } from '@guidon/contract/screens'

const SERVER_PAGES = ['docs', 'healthz', 'readyz']

/** The first segment must match as a whole: `/admin/users` is proxied, and the screen `/admin-dashboard` is not. */
export function proxiedPaths(endpoints: Readonly<Record<string, Endpoint>>): string {
  const segments = Object.values(endpoints).map(({ path }) => path.split('/')[1])
  return `^/(?:${[...new Set([...segments, ...SERVER_PAGES])].join('|')})(?:[/?]|$)`
}

const PAGES: ReadonlySet<unknown> = new Set(Object.values(screens))

/** The page in place of a proxied path that is also a screen, such as the link in emails. */
export function pageAt({
  method,
  url = '',
}: {
  method?: string | undefined
  url?: string | undefined
}) {
  return method === 'GET' && PAGES.has(url.split('?', 1)[0]) ? '/index.html' : undefined
}
