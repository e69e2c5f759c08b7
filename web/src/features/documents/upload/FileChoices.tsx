import type { Document } from '@guidon/contract/documents'
import AddAPhoto from '@mui/icons-material/AddAPhotoOutlined'
import PhotoLibrary from '@mui/icons-material/PhotoLibraryOutlined'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { ChoiceButton } from './ChoiceButton.ts'
import { DropArea } from './DropArea.tsx'

const Pair = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'grid',
  gap: 12,
  [breakpoints.up('sm')]: { gridTemplateColumns: '1fr 1fr' },
}))

interface Props {
  request: Document | undefined
  /** How many more files can be added. */
  remaining: number
  onFiles: (files: File[]) => void
  onJoin: () => void
}

/** The ways to add files. For a request, photos are as prominent as a file, because forms are often photographed. */
export function FileChoices({ request, remaining, onFiles, onJoin }: Props) {
  if (request === undefined)
    return (
      <>
        <DropArea single={false} remaining={remaining} onFiles={onFiles} />
        <Button
          variant="text"
          data-part="join"
          onClick={onJoin}
          startIcon={<PhotoLibrary aria-hidden />}
          sx={{ justifySelf: 'center', whiteSpace: 'normal' }}
        >
          Join photos into one PDF
        </Button>
      </>
    )
  // The one file is chosen.
  if (remaining === 0) return null
  return (
    <Pair>
      <DropArea single remaining={remaining} onFiles={onFiles} />
      <ChoiceButton type="button" data-part="join" onClick={onJoin}>
        <AddAPhoto aria-hidden />
        <strong>Take or join photos</strong>
        <small>Photos of the pages become one PDF</small>
      </ChoiceButton>
    </Pair>
  )
}
