import { useDeferredValue, type ReactNode } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { withClass } from '../../ui/with-class.ts'
import css from './HomePage.module.css'

const Head = withClass('div', css['head'])

const First = withClass('div', css['first'])

interface Props {
  /** The Request Contact button. */
  contact: ReactNode
  /** A sentence under the heading, or on a phone after the first sections, so that these need no scrolling. */
  intro: ReactNode
  /** The sections that the user should see first. */
  first: ReactNode
  /** The first sections do not have their content yet. */
  firstLoading: boolean
  /** The other sections of the page. */
  children: ReactNode
}

export function HomePage({ contact, intro, first, firstLoading, children }: Props) {
  const { firstName } = useSignedInUser()
  // Later, because all sections at once would block the page for a third of a second.
  const othersMounted = useDeferredValue(true, false)
  const wide = useMediaQuery('(min-width: 600px)')
  const sentence = (
    <Typography component="div" color="textSecondary" className={css['intro']}>
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
      {/* Hidden, so that they do not move when the first sections get their content. */}
      <div className={css['others']} hidden={firstLoading}>
        {!wide && sentence}
        {othersMounted && children}
      </div>
    </>
  )
}
