import type { ResponseOut } from '@guidon/contract/endpoint'
import type { previewContact } from '@guidon/contract/links'
import { failureText } from '../../../ui/failure-text.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Paper } from '../../../ui/Paper.tsx'
import { Typography } from '../../../ui/Typography.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { crmUrl } from '../crm-and-box-urls.ts'
import { comparedRows } from './compared-rows.tsx'
import { ComparisonList } from './ComparisonList.tsx'
import { countsText, obstacleText, otherAccountText, outcomeOf } from './link-texts.ts'
import { useContactPreview } from './use-contact-preview.ts'
import css from './ContactPreview.module.css'

const Frame = withClass('div', css['frame'])

/** Whose contact the typed id is, before it is saved. */
export function ContactPreview(props: { userId: string; changedId: string | undefined }) {
  const preview = useContactPreview(props.userId, props.changedId)
  return (
    <Frame>
      {preview?.isLoading && (
        <Typography variant="body2" color="textSecondary">
          Looking up the contact…
        </Typography>
      )}
      {preview?.data && <Found {...preview.data} />}
      <VisuallyHidden as="output">{preview?.data && spoken(preview.data)}</VisuallyHidden>
      <Notice kind="error">
        {preview?.data ? obstacleText(preview.data) : failureText(preview?.error ?? null)}
      </Notice>
      <Notice kind="info">{preview?.data?.asks && waitsText(preview.data)}</Notice>
    </Frame>
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
