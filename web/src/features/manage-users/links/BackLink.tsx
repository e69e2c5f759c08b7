import ChevronLeft from '@mui/icons-material/ChevronLeft'
import { TextLink } from '../../../ui/TextLink.tsx'

/** To the screen that this one belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <TextLink standalone to={to}>
      <ChevronLeft aria-hidden />
      {children}
    </TextLink>
  )
}
