import { renderSVG } from 'uqr'
import { withClass } from '../../ui/with-class.ts'
import css from './QrCode.module.css'

/** Modules of white around the code, which scanners need. */
const QUIET_ZONE = 4

// An image keeps its black and white in every color scheme: phones may not read an inverted code.
const Picture = withClass('img', css['picture'])

export function QrCode({ text, label }: { text: string; label: string }) {
  const svg = renderSVG(text, { ecc: 'M', border: QUIET_ZONE })
  return <Picture alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
}
