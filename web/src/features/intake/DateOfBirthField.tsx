import CalendarIcon from '@mui/icons-material/CalendarMonthOutlined'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { longDate } from '../../ui/dates.ts'
import { FieldError } from '../../ui/Field.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { afterPointerUp } from './after-pointer-up.ts'
import {
  completeParts,
  isPartComplete,
  PART_NAMES,
  partsOf,
  partText,
  problemOf,
  typedAnswer,
  dateAnswer,
  wholeDateIn,
  type DateParts,
  type DateProblem,
  type PartName,
} from './date-parts.ts'
import { isValid } from './entries.ts'
import { useCalendar } from './use-calendar.ts'
import type { StepForm } from './wizard-step.ts'

const LABELS: Readonly<Record<PartName, string>> = { month: 'Month', day: 'Day', year: 'Year' }

const Group = styled('fieldset')(({ theme: { vars } }) => ({
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  '& > legend': { padding: 0, fontWeight: 700, fontSize: '0.95rem' },
  '& .hint': { margin: '4px 0 12px', fontSize: '0.95rem', color: vars.palette.text.secondary },
}))

const Row = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: 12,
  '& label': { display: 'block', marginBottom: 4, fontSize: '0.95rem' },
  // All three fit side by side on the narrowest phone.
  '& .month, & .day': { width: '3.6rem' },
  '& .year': { width: '5.2rem' },
  '& input': { paddingInline: 14 },
  '& .messages': { flexBasis: '100%', '&:empty': { marginTop: -12 }, '& > p': { margin: 0 } },
  [breakpoints.down('sm')]: { '& > button': { order: 1 } },
}))

/** A date typed into three text fields, or picked from a calendar. */
export function DateOfBirthField({ form }: { form: StepForm }) {
  const { field } = useController({ control: form.control, name: 'dateOfBirth' })
  const [parts, setParts] = useState(() => partsOf(field.value))
  const [problem, setProblem] = useState<DateProblem>()
  const [announcement, setAnnouncement] = useState('')
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const calendar = useCalendar()
  const errorId = `${id}-error`

  /** `whole` is false while a part may be incomplete, such as `2` of `27`. */
  function enterParts(next: DateParts, whole: boolean): void {
    setParts(next)
    const answer = whole ? dateAnswer(next) : typedAnswer(next)
    if (answer !== field.value) field.onChange(answer)
  }

  function changeParts(next: DateParts, whole: boolean): void {
    enterParts(next, whole)
    // Clears the message when the date is valid. Does not show a new one while typing.
    if (!problemOf(next)) setProblem(undefined)
  }

  function leave(to: EventTarget | null): void {
    const next = completeParts(parts)
    enterParts(next, true)
    // Opening the calendar does not leave the question.
    const left = !calendar.Calendar && !(to instanceof Node && group.current?.contains(to))
    if (!left && !problem) return
    afterPointerUp(() => {
      setProblem(problemOf(next))
      if (left) field.onBlur()
    })
  }

  // Completes the parts before a press or Enter, because these do not cause a blur in every browser.
  useEffect(() => {
    const finish = () => {
      if (group.current?.contains(document.activeElement)) enterParts(completeParts(parts), true)
    }
    const onEnter = ({ key }: KeyboardEvent) => (key === 'Enter' ? finish() : undefined)
    addEventListener('pointerdown', finish, true)
    addEventListener('keydown', onEnter, true)
    return () => {
      removeEventListener('pointerdown', finish, true)
      removeEventListener('keydown', onEnter, true)
    }
  })

  useEffect(() => {
    field.ref({
      focus: () => {
        const found = problemOf(partsOf(form.getValues('dateOfBirth')))
        setProblem(found)
        const part = found?.parts[0] ?? 'month'
        group.current?.querySelector<HTMLInputElement>(`.${part} input`)?.focus()
      },
    })
  }, [field, form])

  return (
    <>
      <Group
        ref={group}
        aria-describedby={problem ? `${id}-hint ${errorId}` : `${id}-hint`}
        onBlur={({ relatedTarget }) => leave(relatedTarget)}
      >
        <legend>Date of birth</legend>
        <p id={`${id}-hint`} className="hint">
          For example, 03/27/1968. 1925 or later.
        </p>
        <Row>
          {PART_NAMES.map((name) => (
            <div key={name} className={name}>
              <label htmlFor={`${id}-${name}`}>{LABELS[name]}</label>
              <OutlinedInput
                id={`${id}-${name}`}
                value={parts[name]}
                autoComplete={`bday-${name}`}
                error={problem?.parts.includes(name) ?? false}
                {...(problem?.parts.includes(name) && { 'aria-describedby': errorId })}
                slotProps={{ input: { inputMode: 'numeric' } }}
                onChange={({ target: { value } }) => {
                  const whole = wholeDateIn(value)
                  const next = whole ?? { ...parts, [name]: partText(value) }
                  // A change without focus is an autofill by the browser.
                  const isFilled = !group.current?.contains(document.activeElement)
                  changeParts(
                    next,
                    whole !== undefined || isFilled || isPartComplete(name, next[name]),
                  )
                }}
                onPaste={(event) => {
                  const whole = wholeDateIn(event.clipboardData.getData('text'))
                  if (!whole) return
                  event.preventDefault()
                  changeParts(whole, true)
                }}
                onKeyDown={({ key }) => {
                  // Enter submits the step without a blur.
                  if (key === 'Enter') enterParts(completeParts(parts), true)
                }}
              />
            </div>
          ))}
          <BusyButton
            variant="outlined"
            type="button"
            busy={calendar.loading}
            startIcon={<CalendarIcon aria-hidden />}
            aria-haspopup="dialog"
            onClick={calendar.open}
          >
            Calendar
          </BusyButton>
          <div className="messages" aria-live="polite">
            {problem && <FieldError id={errorId}>{problem.message}</FieldError>}
            {calendar.failed && (
              <p>The calendar could not be loaded. Please type the date instead.</p>
            )}
          </div>
        </Row>
        <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
      </Group>
      {calendar.Calendar && (
        <calendar.Calendar
          chosen={isValid('dateOfBirth', field.value) ? String(field.value) : ''}
          onClose={calendar.close}
          onChoose={(date) => {
            changeParts(partsOf(date), true)
            setAnnouncement(`${longDate(date)} chosen`)
            calendar.close()
          }}
        />
      )}
    </>
  )
}
