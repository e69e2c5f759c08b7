import { SECURITY_MAIL_ALWAYS } from '@guidon/contract/notice-words'
import { NOTICE_KINDS } from '@guidon/contract/notices'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../ui/Loaded.tsx'
import { NoticeRow } from './NoticeRow.tsx'
import type { Preferences } from './preferences.ts'

const List = styled('ul')(({ theme: { vars } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': { position: 'relative', padding: '14px 0' },
  '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
}))

const skeleton = NOTICE_KINDS.map((kind) => <Skeleton key={kind} height="4.2rem" />)

/** A switch for each kind of email, which is saved as it is flipped. */
export function NoticeSwitches({ preferences }: { preferences: Preferences }) {
  const result = useQuery(preferences.query)
  return (
    <>
      <Loaded result={result} contentName="your email settings" skeleton={skeleton}>
        {({ switches }) => (
          <List>
            {switches.map(({ kind, on }) => (
              <NoticeRow key={kind} kind={kind} savedOn={on} preferences={preferences} />
            ))}
          </List>
        )}
      </Loaded>
      <Typography variant="body2" color="textSecondary" sx={{ my: '14px' }}>
        {SECURITY_MAIL_ALWAYS}
      </Typography>
    </>
  )
}
