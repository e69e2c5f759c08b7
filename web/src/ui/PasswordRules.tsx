import Check from '@mui/icons-material/Check'
import Close from '@mui/icons-material/Close'
import Lightbulb from '@mui/icons-material/LightbulbOutlined'
import Remove from '@mui/icons-material/Remove'
import { styled } from '@mui/material/styles'
import { spokenProgress, type RuleState } from './password-progress.ts'
import { useDebounced } from './use-debounced.ts'
import { VisuallyHidden } from './VisuallyHidden.ts'

/** Long enough to type a word, so that a screen reader does not announce every letter. */
const PAUSE_MS = 900

const List = styled('ul')(({ theme: { vars } }) => ({
  display: 'grid',
  gap: 4,
  margin: '6px 0 0',
  padding: 0,
  listStyle: 'none',
  fontSize: '0.9rem',
  lineHeight: 1.45,
  color: vars.palette.text.secondary,
  '& > li': { display: 'flex', gap: 8 },
  '& svg': {
    flex: 'none',
    marginTop: '0.1em',
    fontSize: '1.1rem',
    // Else its green would stay on the black of forced colours.
    forcedColorAdjust: 'auto',
  },
  '& > [data-state=met]': { color: vars.palette.text.primary },
  '& > [data-state=met] > svg': { color: vars.palette.success.main },
  '& > [data-state=unmet]': { color: vars.palette.error.main, fontWeight: 600 },
}))

// No circles: an empty one looks like a radio button.
const SIGNS = { open: Remove, met: Check, unmet: Close, hint: Lightbulb }
const WORDS = { open: '', met: ', met', unmet: ', not met', hint: '' }

const Lead = styled('p')({ marginTop: 10, fontSize: '0.9rem', fontWeight: 600 })

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
