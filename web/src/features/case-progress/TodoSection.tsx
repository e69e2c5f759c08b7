import { NOTHING_TO_DO, type TodoItem } from '@guidon/contract/todo'
import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import { useRef, type ReactNode } from 'react'
import { useSectionQuery } from '../../api/use-section-query.ts'
import { EmptyCard } from '../../ui/EmptyCard.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'
import { withClass } from '../../ui/with-class.ts'
import { todoQuery } from './case-queries.ts'
import { CheckedText } from './CheckedText.tsx'
import { currentItems } from './todo-texts.ts'
import { TodoItems } from './TodoItems.tsx'
import { useHeldValue, useListChanges } from './use-list-changes.ts'
import css from './TodoSection.module.css'

const SkeletonRow = withClass('div', css['skeletonRow'])

const skeleton = (
  <Paper>
    <SkeletonRow>
      <Skeleton variant="circular" width="2.1rem" height="2.1rem" />
      <div style={{ flex: 1 }}>
        <Skeleton width="55%" />
        <Skeleton width="75%" />
      </div>
      <Skeleton variant="rounded" width="7.2rem" height={48} />
    </SkeletonRow>
  </Paper>
)

interface Props {
  actionOf: (item: TodoItem) => ReactNode
  intakeText: ReactNode
  /** The intake was sent, or is being sent. */
  intakeDone: boolean
  /** A dialog is open that returns the focus to a button of the list, so the list must not change. */
  freezeList: boolean
}

/** What the veteran has to do, most urgent first. */
export function TodoSection({ actionOf, intakeText, intakeDone, freezeList }: Props) {
  const result = useSectionQuery(todoQuery)
  const data = useHeldValue(result.data, freezeList)
  const heading = useRef<HTMLHeadingElement>(null)
  const items = data && currentItems(data.items, intakeDone)
  const { announcement, onFocus } = useListChanges(items, heading)
  return (
    <PageSection title="What you need to do" headingRef={heading}>
      <VisuallyHidden as="output">{announcement}</VisuallyHidden>
      <Loaded result={{ ...result, data: items }} contentName="to-do list" skeleton={skeleton}>
        {(listed) => (
          <div onFocus={onFocus}>
            {listed.length === 0 ? (
              <EmptyCard icon={<CheckCircle aria-hidden />}>{NOTHING_TO_DO}</EmptyCard>
            ) : (
              <TodoItems items={listed} actionOf={actionOf} intakeText={intakeText} />
            )}
            {data && <CheckedText at={data.checkedAt} />}
          </div>
        )}
      </Loaded>
    </PageSection>
  )
}
