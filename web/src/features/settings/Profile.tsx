import { getUserInfo } from '@guidon/contract/profile'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { brand } from '../../ui/brand.ts'
import { BreakAfterAt } from '../../ui/BreakAfterAt.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { ProviderEmailLink } from '../../ui/ProviderEmailLink.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'
import { profileRows } from './profile-rows.ts'

const Rows = styled('dl')(({ theme: { vars, breakpoints } }) => ({
  display: 'grid',
  gap: '20px 32px',
  margin: 0,
  '& dt': { fontSize: '0.9rem', color: vars.palette.text.secondary },
  '& dd': { margin: 0, fontWeight: 600, overflowWrap: 'anywhere' },
  [breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}))

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
      <Paper variant="outlined" sx={{ p: { xs: '20px', sm: '24px' } }}>
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
