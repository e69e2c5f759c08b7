import Description from '@mui/icons-material/DescriptionOutlined'
import { StandingNote } from './StandingNote.tsx'

export function Restrictions() {
  return (
    <StandingNote tone="info" icon={<Description aria-hidden />}>
      <ul>
        <li>Only PDF and JPEG files are accepted</li>
        <li>Password-protected files are not allowed</li>
      </ul>
    </StandingNote>
  )
}
