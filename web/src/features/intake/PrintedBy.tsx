import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'

const OnPaper = styled('p')({
  display: 'none',
  '@media print': { display: 'block', margin: '4px 0 12px' },
})

// In the time zone of the browser.
const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })

/** Names the veteran on the printed page only. */
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
