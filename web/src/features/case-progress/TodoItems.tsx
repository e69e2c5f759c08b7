import { todoTitle, type TodoItem } from '@guidon/contract/todo'
import type { ReactNode } from 'react'
import { ActionRow, rowList } from '../../ui/ActionRow.ts'
import { dueWords } from '../../ui/due-words.ts'
import { DueText } from '../../ui/DueText.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { withClass } from '../../ui/with-class.ts'
import { appointmentDay, reasonOf } from './todo-texts.ts'
import css from './TodoItems.module.css'

const List = withClass('ol', rowList)

const Row = withClass(ActionRow, css['row'])

const Position = withClass('span', css['position'])

interface Props {
  items: readonly TodoItem[]
  /** The button of an item, and what else belongs to its row. Without it, the list can only be read. */
  actionOf?: (item: TodoItem) => ReactNode
  /** The text of the intake's item. */
  intakeText?: ReactNode
}

/** The numbered to-do list. */
export function TodoItems({ items, actionOf, intakeText }: Props) {
  return (
    <Paper className={css['paper']}>
      <List>
        {items.map((item, index) => (
          <li key={`${item.kind} ${item.id}`}>
            <Row data-overdue={isOverdue(item) || undefined}>
              <Position aria-hidden>{index + 1}</Position>
              <div>
                <Typography variant="h3" className={css['breakAnywhere']}>
                  {todoTitle(item)}
                </Typography>
                <Facts item={item} intakeText={intakeText} />
              </div>
              {actionOf?.(item)}
            </Row>
          </li>
        ))}
      </List>
    </Paper>
  )
}

const isOverdue = ({ kind, due }: TodoItem): boolean =>
  kind !== 'appointment' && due !== null && dueWords(due).overdue

function Facts({ item, intakeText }: { item: TodoItem; intakeText: ReactNode }) {
  const { kind, due } = item
  return (
    <Typography
      variant="body2"
      component="div"
      color="textSecondary"
      className={css['breakAnywhere']}
    >
      {due !== null &&
        (kind === 'appointment' ? (
          <strong>{appointmentDay(due)}.</strong>
        ) : (
          <DueText due={due} />
        ))}{' '}
      {kind === 'intake' ? intakeText : reasonOf(item)}
    </Typography>
  )
}
