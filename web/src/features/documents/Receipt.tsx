import type { Document } from '@guidon/contract/documents'
import ExpandMore from '@mui/icons-material/ExpandMore'
import { localDateTime } from '../../ui/dates.ts'
import { sizeText } from '../../ui/size-text.ts'
import { Typography } from '../../ui/Typography.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { fingerprint } from './document-texts.ts'
import css from './Receipt.module.css'

const Disclosure = withClass('details', css['disclosure'])

/** For a file that was uploaded through the portal: when it arrived, and what identifies it in a phone call. */
export function Receipt({ name, lastUploadedDate, size, sha256 }: Document) {
  if (lastUploadedDate === null || size === null || sha256 === null) return null
  return (
    <>
      <Typography variant="body2">
        We have it. Received{' '}
        <time dateTime={lastUploadedDate}>{localDateTime(lastUploadedDate)}</time>
      </Typography>
      <Disclosure>
        <summary>
          Details <VisuallyHidden>of {name}</VisuallyHidden>
          <ExpandMore aria-hidden />
        </summary>
        <dl>
          <div>
            <dt>File name</dt>
            <dd>{name}</dd>
          </div>
          <div>
            <dt>Size</dt>
            <dd>{sizeText(size)}</dd>
          </div>
          <div>
            <dt>Fingerprint</dt>
            <dd>{fingerprint(sha256)}</dd>
          </div>
        </dl>
        <Typography variant="body2" color="textSecondary">
          If you call us about this file, these help us find it.
        </Typography>
      </Disclosure>
    </>
  )
}
