import { screens } from '@guidon/contract/screens'
import { useDeferredValue, useState } from 'react'
import { Navigate } from 'react-router'
import { useSignedInUser } from '../../api/current-user.ts'
import { useEarlyQuery } from '../../api/use-early-query.ts'
import { Button } from '../../ui/Button.tsx'
import { CardLayout } from '../../ui/CardLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { intakeQuery } from './intake-query.ts'
import { knownAddressQuery } from './known-address.ts'
import { readLocalDraft } from './local-draft.ts'
import { Wizard } from './Wizard.tsx'
import css from './GetStartedPage.module.css'

const ScreenOnly = withClass('div', css['screenOnly'])

/** For users who are not linked to a contact of the CRM and have not sent their intake. */
export function GetStartedPage({ account: accountBar, notice }: AccountProps) {
  const account = <ScreenOnly>{accountBar}</ScreenOnly>
  const { email } = useSignedInUser()
  const [hasLocalDraft] = useState(() => readLocalDraft(sessionStorage, email) !== undefined)
  const intake = useEarlyQuery({ ...intakeQuery, refetchOnMount: 'always' })
  const known = useEarlyQuery(knownAddressQuery)

  const isLoaded = intake.isFetchedAfterMount && !known.isLoading
  // Renders the wizard at a low priority, so that the browser can respond to the user meanwhile.
  const isShown = useDeferredValue(isLoaded)
  if (!isLoaded || !isShown) return <LoadingPage />
  const { data, error } = intake
  if (data?.linkedToExistingAccount || (data?.submittedAt ?? null) !== null) {
    return (
      <>
        <LoadingPage />
        <Navigate to={screens.home} replace />
      </>
    )
  }
  if (error && !hasLocalDraft) {
    return (
      <CardLayout account={account}>
        {notice}
        <PageHeading title="Get Started" failed>
          We could not open your intake
        </PageHeading>
        <Typography role="alert" className={css['text']}>
          {error.message}
        </Typography>
        <Button onClick={() => void intake.refetch()}>Try again</Button>
      </CardLayout>
    )
  }
  return (
    <Wizard
      intake={error ? undefined : data}
      known={known.data ?? {}}
      account={account}
      notice={notice}
    />
  )
}
