import { homeOf } from '@guidon/contract/screens'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { failureText } from './failure-text.ts'
import type { useOpenSession } from './use-open-session.ts'

const Place = styled('div')({
  display: 'grid',
  gap: 12,
  '&:not(:has(> [role] > *))': { display: 'none' },
  '&:focus': { outline: 'none' },
})

const Name = styled('strong')({ overflowWrap: 'anywhere' })

const Actions = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 12,
  marginTop: 12,
  // Also uses the width below the notice's icon: the narrowest screens have no room for the buttons otherwise.
  [breakpoints.down('sm')]: { marginLeft: -38 },
  '& > *': { flex: '1 1 auto', whiteSpace: 'normal' },
}))

/** Says who is still signed in: on a shared computer, the form alone would look as if nobody were. */
export function OpenSession(session: ReturnType<typeof useOpenSession>) {
  const { user, logOut, busy, loggedOut, failure } = session
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The button that had the focus is gone.
    if (loggedOut) place.current?.focus()
  }, [loggedOut])

  return (
    <Place ref={place} tabIndex={-1} sx={{ mt: 3 }}>
      <Notice kind="info">
        {user && (
          <>
            You are signed in as <Name>{user.firstName || user.email}</Name>
            <Actions>
              <Button component={Link} to={homeOf(user.role)}>
                Go to your dashboard
              </Button>
              <BusyButton variant="outlined" busy={busy} onClick={logOut}>
                Log out
              </BusyButton>
            </Actions>
          </>
        )}
      </Notice>
      <Notice kind="success">{loggedOut && 'You are logged out.'}</Notice>
      <Notice kind="error">{user && failureText(failure)}</Notice>
    </Place>
  )
}
