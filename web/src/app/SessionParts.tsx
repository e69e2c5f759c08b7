import { useSignedInUser } from '../api/current-user.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { IdleTimeout } from './IdleTimeout.tsx'

const Uploads = lazyPart(
  async () => (await import('../features/documents/upload/Uploads.tsx')).Uploads,
)

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
