import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'

const Head = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'grid',
  columnGap: 24,
  alignItems: 'start',
  [breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) auto' },
  [breakpoints.down('sm')]: { '& > button': { marginTop: 16 } },
}))

const First = styled('div')({ '& > :not(:empty)': { marginTop: 24 } })

interface Props {
  /** The Request Contact button. */
  contact: ReactNode
  /** A sentence under the heading. */
  intro: ReactNode
  /** Tasks that the user should do first. */
  first?: ReactNode
  /** The sections of the page. */
  children: ReactNode
}

export function HomePage({ contact, intro, first, children }: Props) {
  const { firstName } = useSignedInUser()
  return (
    <>
      <Head>
        <div>
          <PageHeading title="Home">Welcome, {firstName}</PageHeading>
          <Typography component="div" color="textSecondary" sx={{ mt: 1, maxWidth: '30rem' }}>
            {intro}
          </Typography>
        </div>
        {contact}
      </Head>
      <First>{first}</First>
      {children}
    </>
  )
}
