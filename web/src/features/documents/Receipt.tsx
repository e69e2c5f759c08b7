import type { Document } from '@guidon/contract/documents'
import ExpandMore from '@mui/icons-material/ExpandMore'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { localDateTime } from '../../ui/dates.ts'
import { sizeText } from '../../ui/size-text.ts'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { fingerprint } from './document-texts.ts'

const Disclosure = styled('details')(({ theme: { vars } }) => ({
  fontSize: '0.9rem',
  '& summary': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 4,
    minHeight: 44,
    fontWeight: 700,
    color: vars.palette.primary.main,
    cursor: 'pointer',
    '&::-webkit-details-marker': { display: 'none' },
    '&:hover': { textDecoration: 'underline' },
    '& svg': { fontSize: '1.4em' },
  },
  '&[open] summary svg': { transform: 'rotate(180deg)' },
  '& dl': { margin: '0 0 8px' },
  '& dt': {
    display: 'inline',
    color: vars.palette.text.secondary,
    '&::after': { content: '": "' },
  },
  '& dd': { display: 'inline', margin: 0, overflowWrap: 'anywhere' },
  '& div:last-of-type > dd': { whiteSpace: 'nowrap' },
}))

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
