import { NOTICES_INTRO, noticesOff } from '@guidon/contract/notice-words'
import { noticeLinkToken, noticeLinkVoid } from '@guidon/contract/notices'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallFailure } from '../../api/call-failure.ts'
import { CardLayout } from '../../ui/CardLayout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useLinkToken } from '../../ui/use-link-token.ts'
import { LinkVoidPage } from './LinkVoidPage.tsx'
import { NoticeSwitches } from './NoticeSwitches.tsx'
import { preferencesByToken } from './preferences.ts'
import css from './UnsubscribePage.module.css'

const tokenIn = ({ search }: { search: string }) => new URLSearchParams(search).get('token')

/** For the link in an email, without a session. Opening it changes nothing: mail scanners open every link. */
export function UnsubscribePage() {
  const token = useLinkToken(noticeLinkToken, tokenIn)
  return token === undefined ? <LinkVoidPage /> : <SwitchesPage token={token} />
}

const isVoid = (error: Error | null): boolean =>
  error instanceof CallFailure && error.code === noticeLinkVoid.code

function SwitchesPage({ token }: { token: string }) {
  const [preferences] = useState(() => preferencesByToken(token))
  const { data, error } = useQuery(preferences.query)
  const [first, setFirst] = useState(data)
  if (data && !first) setFirst(data)
  if (!data && isVoid(error)) return <LinkVoidPage />
  // Only until a switch changes, because each switch announces its own change. A refetch without a change returns
  // the same object.
  const off = data === first ? data?.switches.filter(({ on }) => !on).map(({ kind }) => kind) : []
  return (
    <CardLayout account={null}>
      <PageHeading title="Email notices" failed={!data && error !== null}>
        Email notices
      </PageHeading>
      <Typography color="textSecondary" className={css['text']}>
        {NOTICES_INTRO}
      </Typography>
      <Notice kind="success">{off?.length ? noticesOff(off) : undefined}</Notice>
      <NoticeSwitches preferences={preferences} />
    </CardLayout>
  )
}
