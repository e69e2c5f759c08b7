import ErrorIcon from '@mui/icons-material/ErrorOutlineOutlined'
import { withClass } from './with-class.ts'
import css from './Field.module.css'

export const Field = withClass('div', css['field'])

/** A short explanation between the label and the control. */
export const FieldHint = withClass('p', css['fieldHint'])

const ErrorLine = withClass('p', css['errorLine'])

/** The message under an invalid field. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <ErrorLine id={id}>
      <ErrorIcon aria-hidden fontSize="small" />
      {children}
    </ErrorLine>
  )
}
