import { useId, type ComponentProps, type ReactNode } from 'react'
import { FieldError } from './Field.tsx'
import { withClass } from './with-class.ts'
import css from './CheckboxField.module.css'

const Row = withClass('div', css['row'])

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  error?: string | undefined
  /** The label; it may contain links. */
  children: ReactNode
}

export function CheckboxField({ error, children, ...input }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div>
      <Row>
        <input
          {...input}
          type="checkbox"
          id={id}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': errorId })}
        />
        <label htmlFor={id}>{children}</label>
      </Row>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}
