import { useState, type ReactNode } from 'react'
import { Loaded, type Result } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'

interface Props<Item> {
  title: string
  result: Result<readonly Item[]> & { isLoadingError: boolean }
  /** Name of the content, such as `claims`, in the Try again button and while it loads. */
  contentName: string
  /** In place of an empty list, after a failure. */
  empty: string
  action?: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/**
 * A section that is not there while it is empty or loads for the first time. Once it has shown a failure it stays,
 * because the user waits there for the result of Try again.
 */
export function OptionalSection<Item>({ title, result, empty, action, ...props }: Props<Item>) {
  const [hasFailed, setHasFailed] = useState(false)
  if (result.isLoadingError && !hasFailed) setHasFailed(true)
  const items = result.data ?? []
  if (items.length === 0 && !hasFailed) return null
  return (
    <PageSection title={title} action={items.length > 0 && action}>
      <Loaded result={result} contentName={props.contentName} skeleton={null}>
        {(found) => (found.length === 0 ? <p>{empty}</p> : props.children(found))}
      </Loaded>
    </PageSection>
  )
}
