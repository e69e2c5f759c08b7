import css from './ProgressBar.module.css'

interface Props {
  /** From 0 to 1; at 1 the server checks the file. */
  sentFraction: number
  name: string
  describedBy?: string
}

export function ProgressBar({ sentFraction, name, describedBy }: Props) {
  const percent = sentFraction < 1 ? Math.floor(sentFraction * 100) : undefined
  return (
    <span
      className={css['bar']}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw `progress` in their own way
      role="progressbar"
      aria-label={`Upload of ${name}`}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      {...(percent !== undefined && {
        'aria-valuenow': percent,
        'aria-valuemin': 0,
        'aria-valuemax': 100,
      })}
    >
      {percent === undefined ? (
        <>
          <span className={css['first']} />
          <span className={css['second']} />
        </>
      ) : (
        <span className={css['sent']} style={{ transform: `translateX(${percent - 100}%)` }} />
      )}
    </span>
  )
}
