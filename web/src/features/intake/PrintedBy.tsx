import { styled } from '@mui/material/styles'
import { useSignedInUser } from '../../api/current-user.ts'

const OnPaper = styled('p')({
  display: 'none',
  '@media print': { display: 'block', margin: '4px 0 12px' },
})

// In the reader's own zone, as on the clock beside the printer.
const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** Whose answers these are, on paper only: on the screen the veteran knows. */
export function PrintedBy() {
  const { firstName, lastName } = useSignedInUser()
  return (
    <OnPaper>
      <strong>
        {firstName} {lastName}
      </strong>
      , printed on {today.format(new Date())}
    </OnPaper>
  )
}
