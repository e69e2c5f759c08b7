import { styled } from '@mui/material/styles'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { FieldError } from './Field.tsx'

const Row = styled('div')(({ theme: { vars } }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  gap: 12,
  '& > input': {
    flex: 'none',
    width: 24,
    height: 24,
    margin: '2px 0 0',
    accentColor: vars.palette.primary.main,
    cursor: 'pointer',
    '&[aria-invalid=true]': { outline: `2px solid ${vars.palette.error.main}`, outlineOffset: 1 },
    '&:focus-visible': { outline: `3px solid ${vars.palette.primary.main}`, outlineOffset: 2 },
  },
  '& > label': { cursor: 'pointer' },
}))

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
