import { requiredConsents } from '@guidon/contract/legal'
import Box from '@mui/material/Box'
import { brand } from '../../ui/brand.ts'
import { ConsentStatement } from '../../ui/ConsentStatement.tsx'

/** All that a veteran of this state accepts with the sign-up. */
export function TermsLabel({ state }: { state: string }) {
  return requiredConsents(brand.legal, state).map((consent) => (
    <Box key={consent.kind} component="span" sx={{ display: 'block', '& + &': { mt: 1 } }}>
      <ConsentStatement {...consent} />
    </Box>
  ))
}
