import type { ResponseOut } from '@guidon/contract/endpoint'
import type { LinkToConfirm, listLinksToConfirm } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import DoneAll from '@mui/icons-material/DoneAll'
import LinkIcon from '@mui/icons-material/LinkOutlined'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { ActionRow, RowActions, rowList } from '../../../ui/ActionRow.ts'
import { AdminLayout } from '../../../ui/AdminLayout.tsx'
import { BreakAfterAt } from '../../../ui/BreakAfterAt.tsx'
import { Button } from '../../../ui/Button.tsx'
import { clockTimeOf } from '../../../ui/dates.ts'
import { EmptyCard } from '../../../ui/EmptyCard.tsx'
import type { AccountProps } from '../../../ui/feature.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeading } from '../../../ui/PageHeading.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { BackLink } from './BackLink.tsx'
import { decisionIn, DECIDED } from './decided.ts'
import { listedText, NO_LINKS } from './link-texts.ts'
import { linksQuery } from './links-queries.ts'
import css from './LinksToConfirmPage.module.css'

const List = withClass('ul', rowList)

const Content = withClass('div', css['content'])

const skeleton = [1, 2, 3].map((row) => <Skeleton key={row} height="6rem" />)

export function LinksToConfirmPage({ account, notice }: AccountProps) {
  const result = useQuery(linksQuery)
  const decided = useDecided()
  return (
    <AdminLayout account={account}>
      {notice}
      <BackLink to={screens.adminDashboard}>Manage Users</BackLink>
      <PageHeading title="Links to confirm" failed={result.error !== null}>
        Links to confirm
      </PageHeading>
      <Typography color="textSecondary" className={css['intro']}>
        The portal could not tell whether these accounts and contacts belong to the same person.
      </Typography>
      <Content>
        <Notice kind="success">{decided}</Notice>
        <Loaded result={result} contentName="links" skeleton={skeleton}>
          {(loaded) => <Links {...loaded} />}
        </Loaded>
      </Content>
    </AdminLayout>
  )
}

/** What was decided on the page before. A reload does not say it again. */
function useDecided(): string | undefined {
  const navigate = useNavigate()
  const given = decisionIn(useLocation().state)
  const [shown] = useState(given)
  useEffect(() => {
    if (given) void navigate(screens.linksToConfirm, { replace: true, state: null })
  }, [given, navigate])
  return shown && DECIDED[shown]
}

function Links({ links, total }: ResponseOut<typeof listLinksToConfirm>) {
  if (links.length === 0) return <EmptyCard icon={<DoneAll aria-hidden />}>{NO_LINKS}</EmptyCard>
  return (
    <>
      {total > links.length && (
        <Typography color="textSecondary" className={css['shown']}>
          Showing the oldest {links.length} of {total}.
        </Typography>
      )}
      <Paper>
        <List aria-label="Links to confirm">
          {links.map((link) => (
            <li key={link.id}>
              <Row {...link} />
            </li>
          ))}
        </List>
      </Paper>
    </>
  )
}

function Row(link: LinkToConfirm) {
  const { id, accountName, accountEmail, askedAt } = link
  return (
    <ActionRow>
      <LinkIcon aria-hidden className={css['icon']} />
      <div className={css['facts']}>
        <Typography variant="h3" component="h2">
          {accountName}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          <BreakAfterAt>{accountEmail}</BreakAfterAt>
        </Typography>
        <Typography>{listedText(link)}</Typography>
        <Typography variant="body2" color="textSecondary">
          Since <time dateTime={askedAt}>{clockTimeOf(askedAt)}</time>
        </Typography>
      </div>
      <RowActions data-part="actions">
        <Button component={Link} to={`${screens.linksToConfirm}/${id}`} variant="outlined">
          Decide <VisuallyHidden>about {accountName}</VisuallyHidden>
        </Button>
      </RowActions>
    </ActionRow>
  )
}
