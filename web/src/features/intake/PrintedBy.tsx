import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'

const OnPaper = styled('p')({
  display: 'none',
  '@media print': { display: 'block', margin: '4px 0 12px' },
})

// In the reader's own zone, as on the clock beside the printer.
const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** Whose answers these are, on paper only: on the screen the veteran knows. */
export function PrintedBy() {
  const { firstName, lastName } = useSignedInUser()
  const [date] = useState(() => longDate.format(new Date()))
  return (
    <OnPaper>
      <strong>
        {firstName} {lastName}
      </strong>
      , printed on {date}
    </OnPaper>
  )
}
