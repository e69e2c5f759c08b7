import { useQuery } from '@tanstack/react-query'
import { useSectionQuery } from '../../api/use-section-query.ts'
import { withClass } from '../../ui/with-class.ts'
import { claimsQuery, todoQuery } from './case-queries.ts'
import { ClaimCard } from './ClaimCard.tsx'
import { OptionalSection } from './OptionalSection.tsx'
import { currentItems } from './todo-texts.ts'
import css from './ClaimSection.module.css'

const Stack = withClass('div', css['stack'])

/** One card for each claim. `intakeDone`: the intake was sent, or is being sent. */
export function ClaimSection({ intakeDone }: { intakeDone: boolean }) {
  const result = useSectionQuery(claimsQuery)
  // `TodoSection` fetches the list.
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
