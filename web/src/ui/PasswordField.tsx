import { useId, useState } from 'react'
import { Button } from './Button.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'
import css from './PasswordField.module.css'

/** `nameInButton` names the field in its Show button, for pages with several password fields. */
export function PasswordField({
  nameInButton = 'password',
  ...field
}: TextFieldProps & { nameInButton?: string }) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const verb = shown ? 'Hide' : 'Show'
  return (
    <TextField
      {...field}
      id={id}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      className={css['textField']}
      endAdornment={
        <Button
          variant="text"
          aria-label={`${verb} ${nameInButton}`}
          aria-controls={id}
          onClick={() => setShown(!shown)}
          className={css['button']}
        >
          {verb}
        </Button>
      }
    />
  )
}
