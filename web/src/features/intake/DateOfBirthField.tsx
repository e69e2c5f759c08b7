import { DATE_OF_BIRTH_MIN } from '@guidon/contract/limits'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs, { type Dayjs } from 'dayjs'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { Field, FieldError } from '../../ui/Field.tsx'
import type { StepForm } from './wizard-step.ts'

const AS_STORED = 'YYYY-MM-DD'
/** Half a date: kept as a word that no schema takes, so that it cannot pass for no answer. */
const INCOMPLETE = 'incomplete'

function stored(date: Dayjs | null): string {
  if (date === null) return ''
  return date.isValid() ? date.format(AS_STORED) : INCOMPLETE
}

function shown(text: unknown): Dayjs | null {
  const date = dayjs(typeof text === 'string' && text !== '' ? text : null)
  return date.isValid() ? date : null
}

/** Typed straight through, or picked: the years come first, because most lie decades back. */
export function DateOfBirthField({ form }: { form: StepForm }) {
  const id = useId()
  const ids = { label: `${id}-label`, hint: `${id}-hint`, error: `${id}-error` }
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <Controller
        control={form.control}
        name="dateOfBirth"
        render={({ field, fieldState: { error } }) => (
          <Field sx={{ maxWidth: '18rem' }}>
            <label id={ids.label} htmlFor={id}>
              Date of birth
            </label>
            <DatePicker
              defaultValue={shown(field.value)}
              onChange={(date) => field.onChange(stored(date))}
              inputRef={field.ref}
              minDate={dayjs(DATE_OF_BIRTH_MIN)}
              maxDate={dayjs()}
              views={['year', 'month', 'day']}
              openTo="year"
              yearsOrder="desc"
              format="MM/DD/YYYY"
              slotProps={{
                field: { id },
                textField: {
                  fullWidth: true,
                  error: error !== undefined,
                  onBlur: field.onBlur,
                  slotProps: {
                    input: {
                      'aria-labelledby': ids.label,
                      'aria-describedby': error ? `${ids.error} ${ids.hint}` : ids.hint,
                    },
                  },
                },
              }}
            />
            <p id={ids.hint} className="hint">
              For example, 03/27/1968
            </p>
            {error?.message !== undefined && (
              <FieldError id={ids.error}>{error.message}</FieldError>
            )}
          </Field>
        )}
      />
    </LocalizationProvider>
  )
}
