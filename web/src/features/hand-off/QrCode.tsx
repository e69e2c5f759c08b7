import { styled } from '@mui/material/styles'
import { renderSVG } from 'uqr'

/** Modules of white around the code, which scanners need. */
const QUIET_ZONE = 4

// An image keeps its black and white in every colour scheme: phones may not read an inverted code.
const Picture = styled('img')({ display: 'block', width: 'min(15rem, 100%)', borderRadius: 12 })

export function QrCode({ text, label }: { text: string; label: string }) {
  const svg = renderSVG(text, { ecc: 'M', border: QUIET_ZONE })
  return <Picture alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
}
