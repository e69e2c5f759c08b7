import { useSignedInUser } from '../api/current-user.ts'
import { Uploads } from '../features/documents/upload/Uploads.tsx'
import { IdleTimeout } from './IdleTimeout.tsx'

/** On every screen of a signed-in user. */
export function SessionParts() {
  const { role } = useSignedInUser()
  return (
    <>
      <IdleTimeout />
      {role === 'USER' && <Uploads />}
    </>
  )
}
