import AddAPhoto from '@mui/icons-material/AddAPhotoOutlined'
import UploadFile from '@mui/icons-material/UploadFile'
import { useRef, useState, type ChangeEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { clockTimeOf } from '../../ui/dates.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Typography } from '../../ui/Typography.tsx'

interface Props {
  accept: string
  /** Removes location and camera data from a photo. */
  prepare: (file: File) => Promise<File>
  check: (file: File) => Promise<string | undefined>
  /** How many photos were taken before. Each becomes a page. */
  pages: number
  endsAt: number
  onPhotos: () => void
  onFile: (file: File) => Promise<void>
}

/**
 * Never says "your account": a stranger may have sent this person a link, whose code belongs to the stranger's account.
 */
export function PhoneChoices(props: Props) {
  const { accept, prepare, check, pages, endsAt, onPhotos, onFile } = props
  const [refusal, setRefusal] = useState<string>()
  const input = useRef<HTMLInputElement>(null)

  async function pick({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const given = target.files?.[0]
    target.value = ''
    if (!given) return
    const file = await prepare(given)
    const message = await check(file)
    setRefusal(message)
    if (message === undefined) await onFile(file)
  }

  return (
    <>
      <Typography>
        It goes to the account that is open on the computer with the code. Only go on if that is
        your computer.
      </Typography>
      <Notice kind="error">{refusal}</Notice>
      <Button startIcon={<AddAPhoto aria-hidden />} onClick={onPhotos}>
        {pages === 0 ? 'Take photos' : `Back to your ${pages === 1 ? 'photo' : `${pages} photos`}`}
      </Button>
      <Button
        variant="outlined"
        startIcon={<UploadFile aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Choose a PDF or photo
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label="File to send"
        onChange={(event) => void pick(event)}
      />
      <Typography variant="body2" color="textSecondary">
        You have until {clockTimeOf(new Date(endsAt).toISOString())}. Each photo gives you more
        time.
      </Typography>
    </>
  )
}
