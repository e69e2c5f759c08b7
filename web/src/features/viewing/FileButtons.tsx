import { isPhoto } from '@guidon/contract/viewing'
import Download from '@mui/icons-material/FileDownloadOutlined'
import Visibility from '@mui/icons-material/VisibilityOutlined'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { checkFile, fileAddress, type FileSource } from './file-source.ts'
import css from './FileButtons.module.css'

const PhotoDialog = lazyPart(async () => (await import('./PhotoDialog.tsx')).PhotoDialog)

const Row = withClass('div', css['row'])

interface Props extends FileSource {
  name: string
}

/** View, for a photo, and Download. */
export function FileButtons({ name, ...source }: Props) {
  const id = useId()
  const [viewing, setViewing] = useState(false)
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (as: 'view' | 'download') => {
      await checkFile(source)
      if (as === 'view') setViewing(true)
      else download(source, name)
    },
  })
  const button = (as: 'view' | 'download') => ({
    variant: 'text' as const,
    busy: isPending && variables === as,
    onClick: () => mutate(as),
    ...(error && variables === as && { 'aria-describedby': id }),
  })
  return (
    <div>
      <Row>
        {isPhoto(name) && (
          <BusyButton startIcon={<Visibility aria-hidden />} {...button('view')}>
            View <VisuallyHidden>{name}</VisuallyHidden>
          </BusyButton>
        )}
        <BusyButton startIcon={<Download aria-hidden />} {...button('download')}>
          Download <VisuallyHidden>{name}</VisuallyHidden>
        </BusyButton>
      </Row>
      <div role="alert">{error && <FieldError id={id}>{error.message}</FieldError>}</div>
      {viewing && <PhotoDialog name={name} {...source} onClose={() => setViewing(false)} />}
    </div>
  )
}

/** The browser saves the file and shows the progress. */
function download(source: FileSource, name: string): void {
  const link = document.createElement('a')
  link.href = fileAddress(source, 'download')
  link.download = name
  link.click()
}
