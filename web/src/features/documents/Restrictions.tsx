import Description from '@mui/icons-material/DescriptionOutlined'
import { StaticNote } from './StaticNote.tsx'

export function Restrictions() {
  return (
    <StaticNote tone="info" icon={<Description aria-hidden />}>
      <ul>
        <li>Only PDF and JPEG files are accepted</li>
        <li>Password-protected files are not allowed</li>
      </ul>
    </StaticNote>
  )
}
