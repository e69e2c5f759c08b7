import type { ResponseOut } from '@guidon/contract/endpoint'
import { previewContact } from '@guidon/contract/links'
import { call } from '../../../api/call.ts'
import { failureText } from '../../../ui/failure-text.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { crmUrl } from '../crm-and-box-urls.ts'
import { IdPreview } from '../IdPreview.tsx'
import { useIdPreview } from '../use-id-preview.ts'
import { comparedRows } from './compared-rows.tsx'
import { ComparisonList } from './ComparisonList.tsx'
import { countsText, obstacleText, otherAccountText, outcomeOf } from './link-texts.ts'
import css from './ContactPreview.module.css'

/** Salesforce shows its ids with 15 characters or with 18. */
const COMPLETE = /^[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?$/

/** Whose contact the typed id is, before it is saved. */
export function ContactPreview(props: { userId: string; changedId: string | undefined }) {
  const preview = useIdPreview({
    ...props,
    kind: 'contact',
    complete: COMPLETE,
    load: (salesforceId, signal) =>
      call(previewContact, { params: { id: props.userId }, query: { salesforceId }, signal }),
  })
  const found = preview?.data
  return (
    <IdPreview
      loading={preview?.isLoading && 'Looking up the contact…'}
      spoken={found && spoken(found)}
      problem={found ? obstacleText(found) : failureText(preview?.error ?? null)}
      hint={found?.asks ? waitsText(found) : undefined}
    >
      {found && <Found {...found} />}
    </IdPreview>
  )
}

type Preview = ResponseOut<typeof previewContact>

/** What the dialog compares. The Box folder has a field of its own there. */
const personal = ({ compared }: Preview) => compared.filter(({ field }) => field !== 'boxFolder')

const spoken = (preview: Preview): string =>
  `${preview.contact?.name ?? ''}: ${countsText(personal(preview))}`

function waitsText(preview: Preview): string {
  const differs = personal(preview).some((comparison) => outcomeOf(comparison) !== 'same')
  const waits = 'After Save, the link waits in Links to confirm.'
  return differs ? `This contact differs from the account. ${waits}` : waits
}

function Found(preview: Preview) {
  const { account, contact, otherAccount } = preview
  if (!contact) return null
  return (
    <Paper className={css['sides']}>
      <ComparisonList
        accountName={account.name}
        contactName={
          <OutsideLink href={crmUrl(contact.id)}>{contact.name || contact.id}</OutsideLink>
        }
        rows={comparedRows({ account, compared: personal(preview) })}
      />
      {otherAccount && (
        <Typography className={css['other']}>{otherAccountText(otherAccount)}.</Typography>
      )}
    </Paper>
  )
}
