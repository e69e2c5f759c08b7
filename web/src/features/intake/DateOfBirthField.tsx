import { DATE_OF_BIRTH_MIN } from '@guidon/contract/limits'
import { styled } from '@mui/material/styles'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs, { type Dayjs } from 'dayjs'
import { useId } from 'react'
import { Controller } from 'react-hook-form'
import { Field, FieldError } from '../../ui/Field.tsx'
import type { StepForm } from './wizard-step.ts'

const AS_STORED = 'YYYY-MM-DD'
/** Half a date: a word that no schema takes, so that it cannot pass for no answer. */
const INCOMPLETE = 'incomplete'
/** Where an empty calendar opens: nearer to most veterans than today. */
const MIDDLE = dayjs('1970-01-01')

function stored(date: Dayjs | null): string {
  if (date === null) return ''
  return date.isValid() ? date.format(AS_STORED) : INCOMPLETE
}

function shown(text: unknown): Dayjs | null {
  const date = dayjs(typeof text === 'string' && text !== '' ? text : null)
  return date.isValid() ? date : null
}

/** The same frame as every other field. */
const Frame = styled(Field)(({ theme: { vars } }) => ({
  maxWidth: '18rem',
  '& .MuiPickersSectionList-root': { padding: '12px 0', lineHeight: 1.6 },
  '& .MuiPickersOutlinedInput-notchedOutline': { borderColor: vars.palette.field },
  '& .MuiPickersOutlinedInput-root': {
    borderRadius: 8,
    '&:hover .MuiPickersOutlinedInput-notchedOutline': { borderColor: vars.palette.text.primary },
    '&.Mui-focused': { boxShadow: `0 0 0 4px ${vars.palette.tint.halo}` },
    '&.Mui-focused .MuiPickersOutlinedInput-notchedOutline': {
      borderColor: vars.palette.primary.main,
    },
    '&.Mui-error .MuiPickersOutlinedInput-notchedOutline': {
      borderColor: vars.palette.error.main,
      borderWidth: 2,
    },
    '& [role=spinbutton]:focus-visible': { outlineWidth: 2, outlineOffset: 0 },
    '@media (forced-colors: active)': {
      '&.Mui-focused': { outline: '3px solid Highlight', outlineOffset: 2 },
    },
  },
  '& .hint': { marginTop: 8, fontSize: '0.95rem', color: vars.palette.text.secondary },
}))

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
          <Frame>
            <label id={ids.label} htmlFor={id}>
              Date of birth
            </label>
            <DatePicker
              defaultValue={shown(field.value)}
              onChange={(date) => field.onChange(stored(date))}
              inputRef={field.ref}
              minDate={dayjs(DATE_OF_BIRTH_MIN)}
              maxDate={dayjs()}
              referenceDate={MIDDLE}
              views={['year', 'month', 'day']}
              openTo="year"
              yearsOrder="desc"
              closeOnSelect
              format="MM/DD/YYYY"
              slotProps={{
                actionBar: ({ pickerVariant }) => ({
                  actions: pickerVariant === 'mobile' ? ['cancel'] : [],
                }),
                field: { id },
                openPickerButton: { sx: { width: 44, height: 44 } },
                popper: { 'aria-label': 'Choose your date of birth' },
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
          </Frame>
        )}
      />
    </LocalizationProvider>
  )
}
