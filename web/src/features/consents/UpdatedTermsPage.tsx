import { homeOf } from '@guidon/contract/screens'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { currentUserQuery, useSignedInUser } from '../../api/current-user.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { CardLayout } from '../../ui/CardLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { consentsQuery } from './consents-query.ts'
import { DueConsents } from './DueConsents.tsx'
import css from './UpdatedTermsPage.module.css'

/** Asks once, after the sign-in, for consent to texts that have changed. */
export function UpdatedTermsPage({ account, notice }: AccountProps) {
  const { role } = useSignedInUser()
  // `RequireRole` says which screen the user wanted to open.
  const { from = homeOf(role) } = (useLocation().state ?? {}) as { from?: string }
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery({
    ...consentsQuery,
    refetchOnMount: 'always',
  })
  const nothingDue = isFetchedAfterMount && data?.due.length === 0

  if (!isFetchedAfterMount) return <LoadingPage />
  if (nothingDue) return <NothingDue to={from} />
  return (
    <CardLayout account={account}>
      {notice}
      {data ? (
        <DueConsents due={data.due} />
      ) : (
        <>
          <PageHeading title="Updated Terms" failed>
            We could not open the updated texts
          </PageHeading>
          <Typography role="alert" className={css['text']}>
            {error?.message}
          </Typography>
          <BusyButton busy={isFetching} onClick={() => void refetch()}>
            Try again
          </BusyButton>
        </>
      )}
    </CardLayout>
  )
}

/** Goes on to the screen that the user wanted to open. */
function NothingDue({ to }: { to: string }) {
  const queryClient = useQueryClient()
  const { consentsDue } = useSignedInUser()
  useEffect(() => {
    queryClient.setQueryData(currentUserQuery.queryKey, (user) =>
      user ? { ...user, consentsDue: false } : user,
    )
  }, [queryClient])
  return (
    <>
      <LoadingPage />
      {!consentsDue && <Navigate to={to} replace />}
    </>
  )
}
