import CalendarIcon from '@mui/icons-material/CalendarMonthOutlined'
import { useEffect, useId, useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { longDate } from '../../ui/dates.ts'
import { FieldError } from '../../ui/Field.tsx'
import { OutlinedInput } from '../../ui/OutlinedInput.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
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
import css from './DateOfBirthField.module.css'

const LABELS: Readonly<Record<PartName, string>> = { month: 'Month', day: 'Day', year: 'Year' }

const Group = withClass('fieldset', css['group'])

const Row = withClass('div', css['row'])

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

  /** `isFinished` is false while a part may still be incomplete, such as `2` of `27`. */
  function enterParts(next: DateParts, isFinished: boolean): void {
    setParts(next)
    const answer = isFinished ? dateAnswer(next) : typedAnswer(next)
    if (answer !== field.value) field.onChange(answer)
  }

  function changeParts(next: DateParts, isFinished: boolean): void {
    enterParts(next, isFinished)
    // Clears the message when the date is valid. Does not show a new one while typing.
    if (!problemOf(next)) setProblem(undefined)
  }

  function leave(to: EventTarget | null): void {
    const next = completeParts(parts)
    enterParts(next, true)
    // While the calendar is open, the focus has not left the field.
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
        group.current?.querySelector<HTMLInputElement>(`[data-part=${part}] input`)?.focus()
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
        <p id={`${id}-hint`} data-part="hint">
          For example, 03/27/1968. 1925 or later.
        </p>
        <Row>
          {PART_NAMES.map((name) => (
            <div key={name} data-part={name}>
              <label htmlFor={`${id}-${name}`}>{LABELS[name]}</label>
              <OutlinedInput
                id={`${id}-${name}`}
                value={parts[name]}
                autoComplete={`bday-${name}`}
                error={problem?.parts.includes(name) ?? false}
                {...(problem?.parts.includes(name) && { 'aria-describedby': errorId })}
                inputMode="numeric"
                onChange={({ target: { value } }) => {
                  const wholeDate = wholeDateIn(value)
                  const next = wholeDate ?? { ...parts, [name]: partText(value) }
                  // A change without focus is an autofill by the browser.
                  const isAutofill = !group.current?.contains(document.activeElement)
                  changeParts(
                    next,
                    wholeDate !== undefined || isAutofill || isPartComplete(name, next[name]),
                  )
                }}
                onPaste={(event) => {
                  const wholeDate = wholeDateIn(event.clipboardData.getData('text'))
                  if (!wholeDate) return
                  event.preventDefault()
                  changeParts(wholeDate, true)
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
          <div data-part="messages" aria-live="polite">
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
