import { withClass } from './with-class.ts'
import css from './FlagScene.module.css'

const Scene = withClass('svg', css['scene'])

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

/** A flag before hills: with a sun in the light scheme, with stars and a moon in the dark one. */
export function FlagScene() {
  return (
    <Scene viewBox="0 0 490 640" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <defs>
        <linearGradient id="scene-sky" x2="0" y2="1">
          <stop className={css['sky-top']} />
          <stop className={css['sky-low']} offset="0.62" />
        </linearGradient>
        <linearGradient id="scene-cloth">
          <stop className={css['cloth-near']} />
          <stop className={css['cloth-far']} offset="1" />
        </linearGradient>
      </defs>
      <path fill="url(#scene-sky)" d="M0 0h490v640H0z" />
      <g className={css['stars']}>
        {STARS.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
      <g className={css['sun-or-moon-group']}>
        <circle className={css['glow']} cx="351" cy="235" r="102" />
        <circle className={css['sun-or-moon']} cx="351" cy="235" r="62" />
        <g className={css['craters']}>
          <circle cx="332" cy="220" r="13" />
          <circle cx="368" cy="252" r="9" />
          <circle cx="372" cy="214" r="6" />
        </g>
      </g>
      <path
        className={css['far-hill']}
        d="M0 276c70-38 130-50 190-26s110 44 170 38 90-28 130-52v404H0z"
      />
      <path
        className={css['middle-hill']}
        d="M0 332c60-30 120-36 190-20s130 36 190 28 80-22 110-38v338H0z"
      />
      <path
        className={css['near-hill']}
        d="M0 388c70-24 130-24 200-10s130 20 190 12 70-14 100-24v274H0z"
      />
      <path
        className={css['cloth']}
        d="M128 46c40-12 78 12 124 8s62-14 95-4l-32 43c-40-6-60 6-100 3s-58-12-87-2z"
      />
      <path
        fill="url(#scene-cloth)"
        d="M128 94c29-10 47-1 87 2s60-9 100-3l32 44c-33-8-60 8-105 4s-74-14-114-1z"
      />
      <path className={css['pole']} strokeWidth="7" strokeLinecap="round" d="M125.5 30v342" />
      <path className={css['pole']} stroke="none" d="m125.5 14 8 19h-16z" />
    </Scene>
  )
}
