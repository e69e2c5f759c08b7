import { getContent } from '@guidon/contract/viewing'
import ZoomIn from '@mui/icons-material/ZoomIn'
import ZoomOut from '@mui/icons-material/ZoomOut'
import { useId, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DialogActions, DialogContent, DialogTitle } from '../../ui/dialog-parts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { withClass } from '../../ui/with-class.ts'
import { fileAddress, type FileSource } from './file-source.ts'
import css from './PhotoDialog.module.css'

const ZOOMS = [1, 2, 4]

const Photo = withClass('img', css['photo'])

interface Props extends FileSource {
  name: string
  onClose: () => void
}

/** The browser loads the photo from the server and keeps no copy. */
export function PhotoDialog({ name, onClose, ...source }: Props) {
  const title = useId()
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const [step, setStep] = useState(0)
  const narrow = useMediaQuery('(max-width: 600px)')
  const zoom = ZOOMS[step] ?? 1
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={title}
      fullScreen={narrow}
      fullWidth
      maxWidth="lg"
      transitionDuration={0}
      slotProps={{
        paper: { className: (narrow ? css['narrow'] : css['wide']) ?? '' },
      }}
    >
      <DialogTitle id={title} className={css['dialogTitle']}>
        {name}
      </DialogTitle>
      {/* Focusable, so that the arrow keys scroll a large photo. */}
      <DialogContent tabIndex={0} className={css['dialogContent']}>
        {state === 'loading' && <output>Loading…</output>}
        <Notice kind="error">{state === 'failed' && getContent.failure}</Notice>
        {state !== 'failed' && (
          <Photo
            src={fileAddress(source, 'view')}
            // Sends cookies even if the API has another origin than the page.
            crossOrigin="use-credentials"
            alt={name}
            data-zoom={zoom}
            style={zoom === 1 ? {} : { width: `${100 * zoom}%`, maxWidth: 'none' }}
            onLoad={() => setState('shown')}
            onError={() => setState('failed')}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button
          variant="outlined"
          startIcon={<ZoomOut aria-hidden />}
          aria-disabled={step === 0}
          onClick={() => setStep(Math.max(0, step - 1))}
        >
          Smaller
        </Button>
        <Button
          variant="outlined"
          startIcon={<ZoomIn aria-hidden />}
          aria-disabled={step === ZOOMS.length - 1}
          onClick={() => setStep(Math.min(ZOOMS.length - 1, step + 1))}
        >
          Larger
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
