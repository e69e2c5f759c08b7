import { homeOf } from '@guidon/contract/screens'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { withClass } from '../../ui/with-class.ts'
import { failureText } from './failure-text.ts'
import type { useOpenSession } from './use-open-session.ts'
import css from './OpenSession.module.css'

const Container = withClass('div', css['container'])

const Name = withClass('strong', css['name'])

const Actions = withClass('div', css['actions'])

/** Says who is still signed in: on a shared computer, the form alone would look as if nobody were. */
export function OpenSession(session: ReturnType<typeof useOpenSession>) {
  const { user, logOut, busy, loggedOut, failure } = session
  const container = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The button that had the focus is gone.
    if (loggedOut) container.current?.focus()
  }, [loggedOut])

  return (
    <Container ref={container} tabIndex={-1}>
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
    </Container>
  )
}
