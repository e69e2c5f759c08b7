import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { localLongDate } from '../../ui/dates.ts'

const OnPaper = styled('p')({
  display: 'none',
  '@media print': { display: 'block', margin: '4px 0 12px' },
})

/** Names the veteran on the printed page only. */
export function PrintedBy() {
  const { firstName, lastName } = useSignedInUser()
  const [date] = useState(() => localLongDate(new Date()))
  return (
    <OnPaper>
      <strong>
        {firstName} {lastName}
      </strong>
      , printed on {date}
    </OnPaper>
  )
}
