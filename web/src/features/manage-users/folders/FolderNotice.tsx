import { FOLDER_MESSAGES, getFolder } from '@guidon/contract/folders'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { Notice } from '../../../ui/Notice.tsx'

/** Says why uploads of the veteran wait, and that Salesforce has another folder. */
export function FolderNotice({ user: { id, role } }: { user: ManagedUser }) {
  const { data } = useQuery({
    queryKey: ['folder', id],
    queryFn: ({ signal }) => call(getFolder, { params: { id }, signal }),
    enabled: role === 'USER',
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const { problem, otherOfContact } = data ?? {}
  const texts = [
    problem &&
      `Uploads of this veteran wait. ${FOLDER_MESSAGES[problem]} Restore it in Box, or enter another Box ID.`,
    otherOfContact &&
      `Salesforce has another Box folder for this veteran: ${otherOfContact}. The portal uses the Box ID below.`,
  ].filter(Boolean)
  return (
    <Notice kind="info">{texts.length > 0 && texts.map((text) => <p key={text}>{text}</p>)}</Notice>
  )
}
