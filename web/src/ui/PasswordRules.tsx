import CheckCircle from '@mui/icons-material/CheckCircle'
import Circle from '@mui/icons-material/RadioButtonUncheckedOutlined'
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
  '& svg': { flex: 'none', marginTop: '0.1em', fontSize: '1.1rem' },
  '& > [data-met]': { color: vars.palette.text.primary },
  '& > [data-met] > svg': { color: vars.palette.success.main },
}))

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
          {rules.map(({ sentence, met }) => (
            <li key={sentence} {...(met && { 'data-met': '' })}>
              {met ? <CheckCircle aria-hidden /> : <Circle aria-hidden />}
              <span>
                {sentence}
                {met && <VisuallyHidden>, met</VisuallyHidden>}
              </span>
            </li>
          ))}
        </List>
      </div>
      <VisuallyHidden as="output">{spoken}</VisuallyHidden>
    </>
  )
}
