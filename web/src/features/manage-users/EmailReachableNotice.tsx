import type { ManagedUser } from '@guidon/contract/manage-users'
import { EMAIL_UNREACHABLE_STAFF } from '@guidon/contract/notice-words'
import { getEmailReachable } from '@guidon/contract/notices'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Says that a veteran must be called, because emails came back. */
export function EmailReachableNotice({ user: { id, role } }: { user: ManagedUser }) {
  const { data } = useQuery({
    queryKey: ['email-reachable', id],
    queryFn: ({ signal }) => call(getEmailReachable, { params: { id }, signal }),
    enabled: role === 'USER',
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return <Notice kind="info">{data?.emailReachable === false && EMAIL_UNREACHABLE_STAFF}</Notice>
}
