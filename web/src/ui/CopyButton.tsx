import Check from '@mui/icons-material/Check'
import ContentCopy from '@mui/icons-material/ContentCopyOutlined'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'
import { useTimeout } from './use-timeout.ts'
import { VisuallyHidden } from './VisuallyHidden.ts'
import css from './CopyButton.module.css'

const COPIED_SECONDS = 3

interface Props {
  text: string
  /** Names the copied text for screen readers, such as `email address`. */
  contentName: string
}

export function CopyButton({ text, contentName }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copied = outcome === 'copied'
  useTimeout(COPIED_SECONDS, copied, () => setOutcome(undefined))

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }

  return (
    <>
      <Button
        variant="text"
        onClick={() => void copy()}
        startIcon={copied ? <Check aria-hidden /> : <ContentCopy aria-hidden />}
        className={css['button']}
      >
        {copied ? 'Copied' : 'Copy'} <VisuallyHidden>{contentName}</VisuallyHidden>
      </Button>
      <VisuallyHidden as="output">{copied && `The ${contentName} is copied.`}</VisuallyHidden>
      <Notice kind="error">
        {outcome === 'failed' &&
          'Your browser did not allow copying. Please select the text and copy it yourself.'}
      </Notice>
    </>
  )
}
