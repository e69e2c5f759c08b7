import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { crmUrl } from './crm-and-box-urls.ts'
import { NOT_LINKED } from './user-texts.ts'

/** A link to the user's record in the CRM. */
export function CrmLink({ salesforceId }: { salesforceId: string | null }) {
  if (!salesforceId) {
    return (
      <Typography component="span" variant="inherit" color="textSecondary">
        {NOT_LINKED}
      </Typography>
    )
  }
  return <OutsideLink href={crmUrl(salesforceId)}>{salesforceId}</OutsideLink>
}
