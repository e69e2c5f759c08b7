import { getLinkToConfirm, listLinksToConfirm } from '@guidon/contract/links'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** The links that wait for staff. */
export const linksQuery = queryOptions({
  queryKey: ['links', 'to-confirm'] as const,
  queryFn: ({ signal }) => call(listLinksToConfirm, { signal }),
  refetchOnWindowFocus: false,
})

/** Both sides of a link. Never from the cache: somebody else may have decided, or the contact changed. */
export const linkQuery = (id: string) =>
  queryOptions({
    queryKey: ['links', id] as const,
    queryFn: ({ signal }) => call(getLinkToConfirm, { params: { id }, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
