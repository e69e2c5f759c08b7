import Typography from '@mui/material/Typography'
import { useSignedInUser } from '../../api/current-user.ts'
import { PageHeading } from '../../ui/PageHeading.tsx'

export function HomePage() {
  const { firstName } = useSignedInUser()
  return (
    <>
      <PageHeading title="Home">Welcome, {firstName}</PageHeading>
      <Typography color="textSecondary" sx={{ mt: 1, maxWidth: '30rem' }}>
        Your case manager guides your claim from start to finish. Reach out whenever you have a
        question.
      </Typography>
    </>
  )
}
