import { useState } from 'react'
import { useSignedInUser } from '../../api/current-user.ts'
import { localLongDate } from '../../ui/dates.ts'
import { withClass } from '../../ui/with-class.ts'
import css from './PrintedBy.module.css'

const OnPaper = withClass('p', css['onPaper'])

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
