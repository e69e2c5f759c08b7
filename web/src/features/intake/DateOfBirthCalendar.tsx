import { DATE_OF_BIRTH_MIN } from '@guidon/contract/limits'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import type { DateView } from '@mui/x-date-pickers/models'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useState } from 'react'
import { today } from './date-parts.ts'

const STORED_FORMAT = 'YYYY-MM-DD'
/** The page that an empty calendar opens at: closer than today to most veterans' year of birth. */
const INITIAL_DATE = dayjs('1970-01-01')
const INSTRUCTIONS: Readonly<Record<DateView, string>> = {
  year: 'First choose the year.',
  month: 'Now choose the month.',
  day: 'Now choose the day.',
}

const Calendar = styled(DateCalendar)(({ view, theme: { vars } }) => ({
  width: '100%',
  maxWidth: 320,
  height: 'auto',
  maxHeight: 'none',
  '& .MuiPickersDay-root, & .MuiPickerDay-root': {
    '--PickerDay-size': '40px',
    width: 40,
    height: 40,
    margin: 0,
    fontSize: '1rem',
  },
  '& .MuiDayCalendar-weekDayLabel': { width: 40, margin: 0 },
  '& .MuiDayCalendar-slideTransition': { minHeight: 264 },
  '& .MuiPickersCalendarHeader-root button': { width: 44, height: 44 },
  '& .MuiYearCalendar-button, & .MuiMonthCalendar-button': { minHeight: 44 },
  '& .MuiYearCalendar-root': { maxHeight: 336 },
  '& .Mui-selected': { fontWeight: 700 },
  // The header has no year to show yet.
  ...(view === 'year' && { '& .MuiPickersCalendarHeader-root': { display: 'none' } }),
  '@media (forced-colors: active)': {
    '& .Mui-selected': { outline: '2px solid Highlight' },
    '& :focus-visible': { outline: '3px solid Highlight' },
  },
  '& :focus-visible': { outline: `3px solid ${vars.palette.primary.main}`, outlineOffset: -3 },
}))

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
      slotProps={{ paper: { sx: { m: { xs: 1, sm: 4 } } } }}
    >
      <DialogTitle id={`${id}-title`}>Choose your date of birth</DialogTitle>
      <DialogContent sx={{ px: { xs: 0.5, sm: 3 } }}>
        <Typography id={`${id}-next`} aria-live="polite" sx={{ px: { xs: 2, sm: 0 } }}>
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
