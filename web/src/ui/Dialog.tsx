import type { DialogProps } from '@mui/material/Dialog'
import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

export const ThemedDialog = lazyPart(async () => (await import('./ThemedDialog.tsx')).ThemedDialog)

/** Its code is loaded when the first dialog opens. */
export function Dialog(props: DialogProps) {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)
  return opened && <ThemedDialog {...props} />
}
