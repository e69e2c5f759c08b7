import { SECURITY_MAIL_ALWAYS } from '@guidon/contract/notice-words'
import { NOTICE_KINDS } from '@guidon/contract/notices'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { NoticeRow } from './NoticeRow.tsx'
import type { PreferencesAccess } from './preferences.ts'
import css from './NoticeSwitches.module.css'

const List = withClass('ul', css['list'])

const skeleton = NOTICE_KINDS.map((kind) => <Skeleton key={kind} height="4.2rem" />)

/** A switch for each kind of email, which is saved as it is flipped. */
export function NoticeSwitches({ preferences }: { preferences: PreferencesAccess }) {
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
      <Typography variant="body2" color="textSecondary" className={css['text']}>
        {SECURITY_MAIL_ALWAYS}
      </Typography>
    </>
  )
}
