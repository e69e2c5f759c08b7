import { linkGone, type LinkDetails } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import InfoIcon from '@mui/icons-material/InfoOutlined'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { AdminLayout } from '../../../ui/AdminLayout.tsx'
import { clockTimeOf } from '../../../ui/dates.ts'
import type { AccountProps } from '../../../ui/feature.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { PageHeading } from '../../../ui/PageHeading.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { withClass } from '../../../ui/with-class.ts'
import { crmUrl } from '../crm-and-box-urls.ts'
import { BackLink } from './BackLink.tsx'
import { comparedRows, otherLinksRow } from './compared-rows.tsx'
import { ComparisonList } from './ComparisonList.tsx'
import { ComparisonTable } from './ComparisonTable.tsx'
import { Decision, type DecisionProps } from './Decision.tsx'
import { countsText, heldText, obstacleText, untilDecided, whatHappened } from './link-texts.ts'
import { linkQuery } from './links-queries.ts'
import css from './LinkToConfirmPage.module.css'

const TITLE = 'Is this the same person?'

const Column = withClass('div', css['column'])

const Summary = withClass('div', css['summary'])

const skeleton = <Skeleton variant="rounded" height="28rem" />

type Props = AccountProps & Pick<DecisionProps, 'SignInAgain'>

export function LinkToConfirmPage({ account, notice, SignInAgain }: Props) {
  const { id = '' } = useParams()
  const result = useQuery(linkQuery(id))
  const [failed, setFailed] = useState(false)
  return (
    <AdminLayout account={account}>
      {notice}
      <Column>
        <BackLink to={screens.linksToConfirm}>Links to confirm</BackLink>
        <PageHeading title={TITLE} failed={failed || result.error !== null}>
          {TITLE}
        </PageHeading>
        <Loaded result={result} contentName="the link" skeleton={skeleton}>
          {(link) =>
            link.question === null ? (
              <Notice kind="info">{linkGone.message}</Notice>
            ) : (
              <>
                <Facts {...link} />
                <Sides {...link} />
                <Decision link={link} SignInAgain={SignInAgain} onFailed={setFailed} />
              </>
            )
          }
        </Loaded>
      </Column>
    </AdminLayout>
  )
}

/** What happened, and what makes a link impossible. */
function Facts(link: LinkDetails) {
  const { askedAt, fromContactId, question, compared, account } = link
  const email = compared.find(({ field }) => field === 'email')?.account ?? ''
  const obstacle = obstacleText(link)
  return (
    <>
      <Typography color="textSecondary" className={css['happened']}>
        {whatHappened(link)}{' '}
        {question === 'moved' && fromContactId && (
          <>
            They were with <OutsideLink href={crmUrl(fromContactId)}>{fromContactId}</OutsideLink>
            .{' '}
          </>
        )}
        {askedAt && (
          <>
            Waiting since <time dateTime={askedAt}>{clockTimeOf(askedAt)}</time>.
          </>
        )}
      </Typography>
      <Notice kind="info">
        {obstacle && (
          <>
            <p>{obstacle}</p>
            <TextLink standalone to={`${screens.adminDashboard}?q=${encodeURIComponent(email)}`}>
              Find {account.name} in Manage Users
            </TextLink>
          </>
        )}
      </Notice>
    </>
  )
}

function Sides(link: LinkDetails) {
  const { account, contact, compared, fromContactId, heldRecords } = link
  const wide = useMediaQuery('(min-width: 900px)')
  const rows = contact && [...comparedRows(link), otherLinksRow(link, fromContactId)]
  const Comparison = wide ? ComparisonTable : ComparisonList
  return (
    <Paper className={css['sides']}>
      {rows && (
        <Comparison
          accountName={account.name}
          contactName={
            <OutsideLink href={crmUrl(contact.id)}>{contact.name || contact.id}</OutsideLink>
          }
          rows={rows}
        />
      )}
      <Summary>
        <InfoIcon aria-hidden />
        <p>
          <strong>{rows ? `${countsText(compared)}.` : `${account.name}.`}</strong>{' '}
          {untilDecided(link)} {heldText(heldRecords)}
        </p>
      </Summary>
    </Paper>
  )
}
