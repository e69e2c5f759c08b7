import { screens } from '@guidon/contract/screens'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'

export function GetStartedPage() {
  return (
    <>
      <PageHeading title="Get Started">Let’s get started</PageHeading>
      <Typography sx={{ mt: 2, mb: 4, maxWidth: '34rem' }}>
        Your account is ready. The questionnaire about your service and your goals will open here
        soon; until then you can go to your dashboard, or call <PhoneLink /> to talk with us.
      </Typography>
      <Button component={Link} to={screens.home}>
        Go to your dashboard
      </Button>
    </>
  )
}
