import { DATE_OF_BIRTH_MIN } from '@guidon/contract/limits'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import type { DateView } from '@mui/x-date-pickers/models'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { today } from './date-parts.ts'
import css from './DateOfBirthCalendar.module.css'

const STORED_FORMAT = 'YYYY-MM-DD'
/** The page that an empty calendar opens at: closer than today to most veterans' year of birth. */
const INITIAL_DATE = dayjs('1970-01-01')
const INSTRUCTIONS: Readonly<Record<DateView, string>> = {
  year: 'First choose the year.',
  month: 'Now choose the month.',
  day: 'Now choose the day.',
}

const Calendar = withClass(DateCalendar, css['calendar'])

interface Props {
  /** `1968-03-27`, or empty without a date. */
  chosen: string
  onChoose: (date: string) => void
  onClose: () => void
}

/** Asks for year, month and day in turn. Closing it before the day is chosen changes nothing. */
export function DateOfBirthCalendar({ chosen, onChoose, onClose }: Props) {
  const id = useId()
  const [view, setView] = useState<DateView>('year')
  /** The year or month chosen so far; it sets the visible page of the calendar, not the date. */
  const [visibleDate, setVisibleDate] = useState<Dayjs>()
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-next`}
      // Seven days of 40 px must fit a window of 320 px.
      slotProps={{ paper: { className: css['paper'] ?? '' } }}
    >
      <DialogTitle id={`${id}-title`}>Choose your date of birth</DialogTitle>
      <DialogContent className={css['dialogContent']}>
        <Typography id={`${id}-next`} aria-live="polite" className={css['text']}>
          {INSTRUCTIONS[view]}
        </Typography>
        <LocalizationProvider dateAdapter={AdapterDayjs}>
          <Calendar
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was just opened
            autoFocus
            value={visibleDate || chosen === '' ? null : dayjs(chosen)}
            referenceDate={visibleDate ?? (chosen !== '' ? dayjs(chosen) : INITIAL_DATE)}
            onChange={(date, selection) => {
              if (!date?.isValid()) return
              if (selection === 'finish') onChoose(date.format(STORED_FORMAT))
              else setVisibleDate(date)
            }}
            view={view}
            data-view={view}
            onViewChange={setView}
            views={['year', 'month', 'day']}
            yearsOrder="desc"
            minDate={dayjs(DATE_OF_BIRTH_MIN)}
            maxDate={dayjs(today())}
            disableHighlightToday
            slotProps={{ calendarHeader: { format: view === 'day' ? 'MMMM YYYY' : 'YYYY' } }}
          />
        </LocalizationProvider>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
      </DialogActions>
    </Dialog>
  )
}
