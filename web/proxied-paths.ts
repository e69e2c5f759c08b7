import type { Endpoint } from '@guidon/contract/endpoint'

const SERVER_PAGES = ['docs', 'healthz', 'readyz']

/** Bounded by `/`, `?` or the end, so that `/admin/users` is the API's and `/admin-dashboard` a screen. */
export function proxiedPaths(endpoints: Readonly<Record<string, Endpoint>>): string {
  const segments = Object.values(endpoints).map(({ path }) => path.split('/')[1])
  return `^/(?:${[...new Set([...segments, ...SERVER_PAGES])].join('|')})(?:[/?]|$)`
}
