import CheckCircle from '@mui/icons-material/CheckCircle'
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined'
import FolderOpen from '@mui/icons-material/FolderOpenOutlined'
import MoveToInbox from '@mui/icons-material/MoveToInbox'
import UploadFile from '@mui/icons-material/UploadFile'
import WarningAmber from '@mui/icons-material/WarningAmber'
import type { ShownStatus } from './document-status.ts'
import { withClass } from './with-class.ts'
import css from './DocumentStatusLabel.module.css'

/** Each status has its own icon, because a colour alone does not tell everyone. */
const LOOKS = {
  requested: { text: 'Requested', tone: 'warning', Icon: UploadFile },
  received: { text: 'Received', tone: 'secondary', Icon: MoveToInbox },
  delayed: { text: 'Received', tone: 'secondary', Icon: MoveToInbox },
  inRecords: { text: 'In your records', tone: 'primary', Icon: FolderOpen },
  reviewed: { text: 'Reviewed', tone: 'success', Icon: CheckCircle },
  notUsable: { text: 'Not usable', tone: 'error', Icon: ErrorOutline },
  notInRecords: { text: 'Not in your records', tone: 'warning', Icon: WarningAmber },
} as const

const Label = withClass('strong', css['label'])

interface Props {
  status: ShownStatus
  /** In place of the words for the veteran. */
  text?: string | undefined
}

/** How far a document has come, in one word, with its icon and colour. */
export function DocumentStatusLabel({ status, text }: Props) {
  const { text: word, tone, Icon } = LOOKS[status]
  return (
    <Label data-tone={tone}>
      <Icon aria-hidden />
      {text ?? word}
    </Label>
  )
}
