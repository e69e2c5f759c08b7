import Button from '@mui/material/Button'
import { useId, useState } from 'react'
import { TextField, type TextFieldProps } from './TextField.tsx'

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
      sx={{ pr: '4px' }}
      endAdornment={
        <Button
          variant="text"
          aria-label={`${verb} ${nameInButton}`}
          aria-controls={id}
          onClick={() => setShown(!shown)}
          sx={{ flex: 'none', minWidth: 0, minHeight: 44, px: 1.5, fontSize: '0.95rem' }}
        >
          {verb}
        </Button>
      }
    />
  )
}
