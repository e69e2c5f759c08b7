import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined'
import RemoveCircle from '@mui/icons-material/RemoveCircleOutlineOutlined'
import { withClass } from '../../../ui/with-class.ts'
import type { Outcome } from './link-texts.ts'
import css from './SameMark.module.css'

/** Each has its own icon and word, because a colour alone does not tell everyone. */
const LOOKS = {
  same: { word: 'Same', tone: 'success', Icon: CheckCircle },
  different: { word: 'Different', tone: 'warning', Icon: ErrorOutline },
  missing: { word: 'Missing', tone: 'neutral', Icon: RemoveCircle },
  noConflict: { word: 'No conflict', tone: 'success', Icon: CheckCircle },
  otherAccount: { word: 'Another account', tone: 'warning', Icon: ErrorOutline },
} as const

export type Mark = Outcome | 'noConflict' | 'otherAccount'

const Words = withClass('strong', css['words'])

export function SameMark({ mark }: { mark: Mark }) {
  const { word, tone, Icon } = LOOKS[mark]
  return (
    <Words data-tone={tone}>
      <Icon aria-hidden />
      {word}
    </Words>
  )
}
