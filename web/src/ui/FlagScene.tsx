import { styled } from '@mui/material/styles'
import { darkScene, lightScene, type SceneColours } from './flag-scene-colours.ts'

function coloured(colours: SceneColours) {
  return Object.fromEntries(Object.entries(colours).map(([name, hex]) => [`--scene-${name}`, hex]))
}

const Scene = styled('svg')({
  ...coloured(lightScene),
  '@media (prefers-color-scheme: dark)': {
    ...coloured(darkScene),
    // The sun touches the hill; the moon is above it.
    '& .light': { transform: 'translate(36px, -30px) scale(0.72)', transformOrigin: '351px 235px' },
  },
  display: 'block',
  width: '100%',
  height: '100%',
  '& .sky-top': { stopColor: 'var(--scene-skyTop)' },
  '& .sky-low': { stopColor: 'var(--scene-skyLow)' },
  '& .cloth-near': { stopColor: 'var(--scene-clothNear)' },
  '& .cloth-far': { stopColor: 'var(--scene-clothFar)' },
  '& .glow': { fill: 'var(--scene-glow)' },
  '& .sun-or-moon': { fill: 'var(--scene-sunOrMoon)' },
  '& .craters': { fill: 'var(--scene-craters)' },
  '& .stars': { fill: 'var(--scene-stars)' },
  '& .cloth': { fill: 'var(--scene-cloth)' },
  '& .pole': { stroke: 'var(--scene-pole)', fill: 'var(--scene-pole)' },
  '& .far-hill': { fill: 'var(--scene-farHill)' },
  '& .middle-hill': { fill: 'var(--scene-middleHill)' },
  '& .near-hill': { fill: 'var(--scene-nearHill)' },
  // Forced colours would make the picture unrecognisable.
  '@media (forced-colors: active)': { visibility: 'hidden' },
})

const STARS: readonly (readonly [x: number, y: number, r: number])[] = [
  [52, 60, 1.6],
  [96, 138, 1.1],
  [40, 196, 1.4],
  [238, 34, 1.2],
  [398, 46, 1.7],
  [446, 108, 1.2],
  [206, 196, 1.3],
  [262, 206, 1],
  [462, 214, 1.4],
  [78, 262, 1.1],
]

/** Flag, hills and sun in the light scheme; stars and a moon in the dark one. */
export function FlagScene() {
  return (
    <Scene viewBox="0 0 490 640" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <defs>
        <linearGradient id="scene-sky" x2="0" y2="1">
          <stop className="sky-top" />
          <stop className="sky-low" offset="0.62" />
        </linearGradient>
        <linearGradient id="scene-cloth">
          <stop className="cloth-near" />
          <stop className="cloth-far" offset="1" />
        </linearGradient>
      </defs>
      <path fill="url(#scene-sky)" d="M0 0h490v640H0z" />
      <g className="stars">
        {STARS.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
      <g className="light">
        <circle className="glow" cx="351" cy="235" r="102" />
        <circle className="sun-or-moon" cx="351" cy="235" r="62" />
        <g className="craters">
          <circle cx="332" cy="220" r="13" />
          <circle cx="368" cy="252" r="9" />
          <circle cx="372" cy="214" r="6" />
        </g>
      </g>
      <path className="far-hill" d="M0 276c70-38 130-50 190-26s110 44 170 38 90-28 130-52v404H0z" />
      <path
        className="middle-hill"
        d="M0 332c60-30 120-36 190-20s130 36 190 28 80-22 110-38v338H0z"
      />
      <path
        className="near-hill"
        d="M0 388c70-24 130-24 200-10s130 20 190 12 70-14 100-24v274H0z"
      />
      <path
        className="cloth"
        d="M128 46c40-12 78 12 124 8s62-14 95-4l-32 43c-40-6-60 6-100 3s-58-12-87-2z"
      />
      <path
        fill="url(#scene-cloth)"
        d="M128 94c29-10 47-1 87 2s60-9 100-3l32 44c-33-8-60 8-105 4s-74-14-114-1z"
      />
      <path className="pole" strokeWidth="7" strokeLinecap="round" d="M125.5 30v342" />
      <path className="pole" stroke="none" d="m125.5 14 8 19h-16z" />
    </Scene>
  )
}
