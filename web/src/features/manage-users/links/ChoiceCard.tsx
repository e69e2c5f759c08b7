import { useId } from 'react'
import { Typography } from '../../../ui/Typography.tsx'
import { withClass } from '../../../ui/with-class.ts'
import type { Choice, ChoiceWords } from './link-texts.ts'
import css from './ChoiceCard.module.css'

const Card = withClass('label', css['card'])

interface Props extends ChoiceWords {
  /** Of the group. */
  name: string
  isChosen: boolean
  onChoose: (choice: Choice) => void
}

/** A radio button with what it does. */
export function ChoiceCard({ choice, label, text, name, isChosen, onChoose }: Props) {
  const id = useId()
  return (
    <Card>
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={() => onChoose(choice)}
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
      />
      <span>
        <strong id={id}>{label}</strong>
        <Typography
          component="span"
          variant="body2"
          color="textSecondary"
          id={`${id}-text`}
          className={css['text']}
        >
          {text}
        </Typography>
      </span>
    </Card>
  )
}
