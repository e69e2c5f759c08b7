import { useId, type CSSProperties, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FieldError, FieldHint } from '../../ui/Field.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './ChoiceField.module.css'

const Group = withClass('fieldset', css['group'])

const LabelRow = withClass('div', css['labelRow'])

const Options = withClass('div', css['options'])

interface Props {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Smallest width of one option; as many are placed in a row as fit. */
  minColumnRem?: number
  /** Clears the answer; absent while there is none. */
  onClear?: (() => void) | undefined
  /** Each a label with its input. */
  children: ReactNode
}

/** A question with its choices as large touch targets. */
export function ChoiceField(props: Props) {
  const { label, hint, error, minColumnRem = 8.4, onClear, children } = props
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = [hint && hintId, error !== undefined && errorId].filter(Boolean).join(' ')
  return (
    // No legend, because it cannot share a row with a button.
    <Group aria-labelledby={id} {...(describedBy !== '' && { 'aria-describedby': describedBy })}>
      <LabelRow>
        <span id={id}>{label}</span>
        {onClear && (
          <Button
            variant="text"
            aria-label={`Clear ${label}`}
            onClick={onClear}
            className={css['button']}
          >
            Clear
          </Button>
        )}
      </LabelRow>
      {hint && (
        <FieldHint id={hintId} className={css['fieldHint']}>
          {hint}
        </FieldHint>
      )}
      <Options style={{ '--column': `${minColumnRem}rem` } as CSSProperties}>{children}</Options>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </Group>
  )
}
