import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { claimsQuery, todoQuery } from './case-queries.ts'
import { ClaimCard } from './ClaimCard.tsx'
import { OptionalSection } from './OptionalSection.tsx'
import { currentItems } from './todo-texts.ts'

const Stack = styled('div')({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 })

/** One card for each claim. `intakeDone`: as in `TodoSection`. */
export function ClaimSection({ intakeDone }: { intakeDone: boolean }) {
  const result = useQuery(claimsQuery)
  // The section above it fetches the list.
  const { data: todo } = useQuery({ ...todoQuery, enabled: false })
  const todoCount = todo && currentItems(todo.items, intakeDone).length
  const several = (result.data?.length ?? 0) > 1
  return (
    <OptionalSection
      title={several ? 'Where your claims stand' : 'Where your claim stands'}
      result={result}
      contentName="claims"
      empty="There is nothing to show here."
    >
      {(claims) => (
        <Stack>
          {claims.map((claim) => (
            <ClaimCard key={claim.id} claim={claim} todoCount={todoCount} />
          ))}
        </Stack>
      )}
    </OptionalSection>
  )
}
