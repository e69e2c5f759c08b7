import { withClass } from '../../ui/with-class.ts'
import type { DayBadge } from './appointment-texts.ts'
import css from './DateBadge.module.css'

const Badge = withClass('div', css['badge'])

/** Decoration: the date is also written in words. */
export function DateBadge({ day, date }: DayBadge) {
  return (
    <Badge aria-hidden>
      <div>{day}</div>
      <div>{date}</div>
    </Badge>
  )
}
