import {
  CRISIS_CALL,
  CRISIS_CALL_HREF,
  CRISIS_LINE,
  CRISIS_TEXT,
  CRISIS_TEXT_HREF,
} from '@guidon/contract/trust'
import { Link } from './Link.tsx'

export function CrisisLine() {
  return (
    <p>
      {CRISIS_LINE}: <Link href={CRISIS_CALL_HREF}>{CRISIS_CALL}</Link>, or{' '}
      <Link href={CRISIS_TEXT_HREF}>{CRISIS_TEXT}</Link>.
    </p>
  )
}
