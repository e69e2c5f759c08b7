import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { Themed } from './Themed.tsx'

export function ThemedDialog(props: DialogProps) {
  return (
    <Themed>
      <MuiDialog {...props} />
    </Themed>
  )
}
