import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import ErrorIcon from '@mui/icons-material/ErrorOutlineOutlined'
import InfoIcon from '@mui/icons-material/InfoOutlined'
import type { ReactNode } from 'react'
import { withClass } from './with-class.ts'
import css from './Notice.module.css'

const kinds = {
  success: { role: 'status', Icon: CheckCircle },
  info: { role: 'status', Icon: InfoIcon },
  error: { role: 'alert', Icon: ErrorIcon },
} as const

const Frame = withClass('div', css['frame'])

interface Props {
  kind: keyof typeof kinds
  children?: ReactNode
}

/** The live region stays when empty: screen readers announce changes inside one, not a new one. */
export function Notice({ kind, children }: Props) {
  const { role, Icon } = kinds[kind]
  return (
    <div role={role}>
      {children && (
        <Frame data-kind={kind}>
          <Icon aria-hidden />
          <div>{children}</div>
        </Frame>
      )}
    </div>
  )
}
