import { getUserInfo } from '@guidon/contract/profile'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { brand } from '../../ui/brand.ts'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { ProviderEmailLink } from '../../ui/ProviderEmailLink.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { withClass } from '../../ui/with-class.ts'
import { profileRows } from './profile-rows.ts'
import css from './Profile.module.css'

const Rows = withClass('dl', css['rows'])

const LINES = ['70%', '60%', '75%', '65%']

const skeleton = LINES.map((width) => <Skeleton key={width} width={width} height="2.6rem" />)

const contactUs = (
  <>
    To change any of this, please contact {brand.name}: call <ProviderPhoneLink /> or write to{' '}
    <ProviderEmailLink />.
  </>
)

export function Profile() {
  const result = useQuery({
    queryKey: ['user-info'],
    queryFn: ({ signal }) => call(getUserInfo, { signal }),
  })
  return (
    <PageSection title="Your profile" note={contactUs}>
      <Paper className={css['paper']}>
        <Loaded result={result} contentName="profile" skeleton={skeleton}>
          {(info) => (
            <Rows>
              {profileRows(info).map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <BreakAfterAt>{value}</BreakAfterAt>
                  </dd>
                </div>
              ))}
            </Rows>
          )}
        </Loaded>
      </Paper>
    </PageSection>
  )
}
