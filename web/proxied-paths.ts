import type { Endpoint } from '@guidon/contract/endpoint'

const SERVER_PAGES = ['docs', 'healthz', 'readyz']

/** The first segment must match as a whole: `/admin/users` is proxied, and the screen `/admin-dashboard` is not. */
export function proxiedPaths(endpoints: Readonly<Record<string, Endpoint>>): string {
  const segments = Object.values(endpoints).map(({ path }) => path.split('/')[1])
  return `^/(?:${[...new Set([...segments, ...SERVER_PAGES])].join('|')})(?:[/?]|$)`
}
