import Check from '@mui/icons-material/Check'
import Close from '@mui/icons-material/Close'
import Lightbulb from '@mui/icons-material/LightbulbOutlined'
import Remove from '@mui/icons-material/Remove'
import { spokenProgress, type RuleState } from './password-progress.ts'
import { useDebounced } from './use-debounced.ts'
import { VisuallyHidden } from './VisuallyHidden.ts'
import { withClass } from './with-class.ts'
import css from './PasswordRules.module.css'

/** Long enough to type a word, so that a screen reader does not announce every letter. */
const PAUSE_MS = 900

const List = withClass('ul', css['list'])

// No circles: an empty one looks like a radio button.
const SIGNS = { open: Remove, met: Check, unmet: Close, hint: Lightbulb }
const WORDS = { open: '', met: ', met', unmet: ', not met', hint: '' }

const Lead = withClass('p', css['lead'])

interface Props {
  id: string
  rules: readonly RuleState[]
  heading?: string | undefined
}

export function PasswordRules({ id, rules, heading = 'Your password needs:' }: Props) {
  const spoken = useDebounced(spokenProgress(rules), PAUSE_MS)
  return (
    <>
      <div id={id}>
        <Lead>{heading}</Lead>
        <List>
          {rules.map((rule) => (
            <Rule key={rule.sentence} {...rule} />
          ))}
        </List>
      </div>
      <VisuallyHidden as="output">{spoken}</VisuallyHidden>
    </>
  )
}

function Rule({ sentence, state, reason }: RuleState) {
  const Sign = SIGNS[state]
  return (
    <li data-state={state}>
      <Sign aria-hidden />
      <span>
        {sentence}
        {WORDS[state] && <VisuallyHidden>{WORDS[state]}</VisuallyHidden>}
        {reason && `. ${reason}`}
      </span>
    </li>
  )
}
