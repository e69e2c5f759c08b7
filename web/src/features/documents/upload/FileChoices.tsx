import type { Document } from '@guidon/contract/documents'
import AddAPhoto from '@mui/icons-material/AddAPhotoOutlined'
import PhotoLibrary from '@mui/icons-material/PhotoLibraryOutlined'
import QrCode2 from '@mui/icons-material/QrCode2'
import { Button } from '../../../ui/Button.tsx'
import { withClass } from '../../../ui/with-class.ts'
import { ChoiceButton } from './ChoiceButton.ts'
import { DropArea } from './DropArea.tsx'
import { useIsComputer } from './use-is-computer.ts'
import css from './FileChoices.module.css'

const Choices = withClass('div', css['choices'])

interface Props {
  request: Document | undefined
  /** How many more files can be added. */
  remaining: number
  onFiles: (files: File[]) => void
  onJoin: () => void
  onPhone: (() => void) | undefined
}

/** The ways to add files. For a request, photos are as prominent as a file, because forms are often photographed. */
export function FileChoices({ request, remaining, onFiles, onJoin, onPhone }: Props) {
  const phone = useIsComputer() && onPhone && (
    <ChoiceButton type="button" data-part="phone" onClick={onPhone}>
      <QrCode2 aria-hidden />
      <strong>Use your phone’s camera</strong>
      <small>Scan a code to connect it</small>
    </ChoiceButton>
  )
  if (request === undefined)
    return (
      <>
        <Choices>
          <DropArea single={false} remaining={remaining} onFiles={onFiles} />
          {phone}
        </Choices>
        <Button
          variant="text"
          data-part="join"
          onClick={onJoin}
          startIcon={<PhotoLibrary aria-hidden />}
          className={css['button']}
        >
          Join photos into one PDF
        </Button>
      </>
    )
  // The one file is chosen.
  if (remaining === 0) return null
  return (
    <Choices>
      <DropArea single remaining={remaining} onFiles={onFiles} />
      <ChoiceButton type="button" data-part="join" onClick={onJoin}>
        <AddAPhoto aria-hidden />
        <strong>Take or join photos</strong>
        <small>Photos of the pages become one PDF</small>
      </ChoiceButton>
      {phone}
    </Choices>
  )
}
