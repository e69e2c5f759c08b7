import { screens } from '@guidon/contract/screens'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { useSignedInUser } from '../../api/current-user.ts'
import { CardLayout } from '../../ui/CardLayout.tsx'
import type { AccountProps } from '../../ui/feature.ts'
import { LoadingPage } from '../../ui/LoadingPage.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { intakeQuery } from './intake-query.ts'
import { knownAddressQuery } from './known-address.ts'
import { readLocalDraft } from './local-draft.ts'
import { Wizard } from './Wizard.tsx'

const ScreenOnly = styled('div')({
  display: 'contents',
  '@media print': { display: 'none' },
})

/** For users who are not linked to a contact of the provider and have not sent their intake. */
export function GetStartedPage({ account: accountBar, notice }: AccountProps) {
  const account = <ScreenOnly>{accountBar}</ScreenOnly>
  const { email } = useSignedInUser()
  const [hasLocalDraft] = useState(() => readLocalDraft(sessionStorage, email) !== undefined)
  const intake = useQuery({ ...intakeQuery, refetchOnMount: 'always' })
  const known = useQuery(knownAddressQuery)

  if (!intake.isFetchedAfterMount || known.isLoading) return <LoadingPage />
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
        <Typography role="alert" sx={{ mt: 2, mb: 4 }}>
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
