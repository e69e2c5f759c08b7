import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import type { ReactNode } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'

const Head = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'grid',
  columnGap: 24,
  alignItems: 'start',
  [breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) auto' },
  [breakpoints.down('sm')]: { '& > button': { marginTop: 12 } },
}))

const First = styled('div')(({ theme: { breakpoints } }) => ({
  [breakpoints.down('sm')]: { '& > section:first-of-type': { marginTop: 20 } },
}))

interface Props {
  /** The Request Contact button. */
  contact: ReactNode
  /** A sentence under the heading, or on a phone after the first sections, so that these need no scrolling. */
  intro: ReactNode
  /** The sections that the user should see first. */
  first: ReactNode
  /** The other sections of the page. */
  children: ReactNode
}

export function HomePage({ contact, intro, first, children }: Props) {
  const { firstName } = useSignedInUser()
  const wide = useMediaQuery('(min-width: 600px)', { noSsr: true })
  const sentence = (
    <Typography component="div" color="textSecondary" sx={{ mt: wide ? 1 : 4, maxWidth: '30rem' }}>
      {intro}
    </Typography>
  )
  return (
    <>
      <Head>
        <div>
          <PageHeading title="Home">Welcome, {firstName}</PageHeading>
          {wide && sentence}
        </div>
        {contact}
      </Head>
      <First>{first}</First>
      {!wide && sentence}
      {children}
    </>
  )
}
