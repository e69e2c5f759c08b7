import { askedForContact, contactRequested } from '@guidon/contract/contact'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { localMonthDay } from '../../ui/dates.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useTimeout } from '../../ui/use-timeout.ts'
import { withClass } from '../../ui/with-class.ts'
import { ContactDialog } from './ContactDialog.tsx'
import { useRequestContact } from './use-request-contact.ts'
import css from './RequestContact.module.css'

/** How long the dialog still shows that the request was sent. */
const CLOSES_AFTER_SECONDS = 2

/** A row below the button. */
const NoticeRow = withClass('div', css['noticeRow'])

const Earlier = withClass(Typography, css['earlier'])

export function RequestContact() {
  const [open, setOpen] = useState(false)
  const { request, busy, sent, latest, failure, reset } = useRequestContact()
  const close = () => setOpen(false)
  useTimeout(CLOSES_AFTER_SECONDS, open && sent !== undefined, close)

  function start(): void {
    reset()
    setOpen(true)
  }

  return (
    <>
      <Button variant="outlined" onClick={start}>
        Request Contact
      </Button>
      <ContactDialog
        open={open}
        onClose={close}
        onSend={request}
        busy={busy}
        sent={sent}
        failure={failure}
      />
      <NoticeRow>
        {/* Repeats the message of the dialog, whose two seconds are too short for some readers. */}
        <Notice kind="success">{!open && sent && contactRequested(sent)}</Notice>
        {latest && !sent && (
          <Earlier variant="body2">
            <CheckCircle aria-hidden />
            {askedForContact(latest.method, localMonthDay(latest.requestedAt))}
          </Earlier>
        )}
      </NoticeRow>
    </>
  )
}
