import css from './CircularProgress.module.css'

interface Props {
  size: string
  /** In the colour of the text around it. */
  inherit?: boolean
  thickness?: number
}

/** A turning circle. The text beside it says what is under way. */
export function CircularProgress({ size, inherit = false, thickness = 3.6 }: Props) {
  return (
    <span
      className={css['progress']}
      data-color={inherit ? 'inherit' : undefined}
      style={{ width: size, height: size }}
      aria-hidden
    >
      <svg viewBox="22 22 44 44">
        <circle cx="44" cy="44" r={(44 - thickness) / 2} fill="none" strokeWidth={thickness} />
      </svg>
    </span>
  )
}
