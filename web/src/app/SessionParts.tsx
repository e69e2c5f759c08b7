import { useSignedInUser } from '../api/current-user.ts'
import { Uploads } from '../features/documents/upload/Uploads.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LoadingText } from '../ui/LoadingText.tsx'
import { IdleTimeout } from './IdleTimeout.tsx'

const PhonePanel = lazyPart(
  async () => (await import('./PhonePanel.tsx')).PhonePanel,
  <LoadingText />,
)

/** On every screen of a signed-in user. */
export function SessionParts() {
  const { role } = useSignedInUser()
  return (
    <>
      <IdleTimeout />
      {role === 'USER' && <Uploads PhonePanel={PhonePanel} />}
    </>
  )
}
