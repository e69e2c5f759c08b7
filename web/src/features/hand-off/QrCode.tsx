import { styled } from '@mui/material/styles'
import { encode } from 'uqr'

/** Modules of white around the code, which scanners need. */
const QUIET_ZONE = 4

const Picture = styled('svg')({
  display: 'block',
  width: 'min(15rem, 100%)',
  borderRadius: 12,
  // Black on white in every colour scheme: phones may not read an inverted code.
  backgroundColor: '#fff',
  fill: '#000',
  forcedColorAdjust: 'none',
})

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <Picture
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </Picture>
  )
}
