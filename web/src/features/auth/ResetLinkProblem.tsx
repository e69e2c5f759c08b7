import { screens } from '@guidon/contract/screens'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import css from './ResetLinkProblem.module.css'

interface Props {
  /** Whether it replaces the form, which had the focus; it takes the focus then. */
  replacesForm: boolean
  children: ReactNode
}

function focus(link: HTMLAnchorElement | null): void {
  link?.focus()
}

/** Shown instead of the form if the token of the link is missing, malformed or no longer valid. */
export function ResetLinkProblem({ replacesForm, children }: Props) {
  return (
    <>
      <PageHeading title="Reset Password" failed>
        Reset Password
      </PageHeading>
      <div className={css['box']}>
        <Notice kind="error">{children}</Notice>
      </div>
      <Button
        component={Link}
        to={screens.forgotPassword}
        fullWidth
        {...(replacesForm && { ref: focus })}
      >
        Request a new link
      </Button>
    </>
  )
}
