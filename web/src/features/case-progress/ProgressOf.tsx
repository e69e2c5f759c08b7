import { getProgressOf, type TodoItem } from '@guidon/contract/todo'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { ClaimCard } from './ClaimCard.tsx'
import { currentItems } from './todo-texts.ts'
import { TodoItems } from './TodoItems.tsx'
import css from './ProgressOf.module.css'

const Stack = withClass('div', css['stack'])

const skeleton = [1, 2, 3].map((row) => <Skeleton key={row} height="3.4rem" />)

/** For staff: the to-do list and the claims of an account. Every view is audited, so it is never served from the cache. */
export function ProgressOf({ userId }: { userId: string }) {
  const result = useQuery({
    queryKey: ['progress-of', userId],
    queryFn: ({ signal }) => call(getProgressOf, { params: { id: userId }, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded result={result} contentName="the to-do list and the claims" skeleton={skeleton}>
      {({ todo, claims }) => (
        <Stack>
          <Typography color="textSecondary">As the veteran sees it on Home.</Typography>
          <TodoOf items={currentItems(todo, false)} />
          {claims.length === 0 && <p>No claim is shown.</p>}
          {claims.map((claim) => (
            <ClaimCard key={claim.id} claim={claim} />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

const TodoOf = ({ items }: { items: readonly TodoItem[] }) =>
  items.length === 0 ? <p>There is nothing to do.</p> : <TodoItems items={items} />
