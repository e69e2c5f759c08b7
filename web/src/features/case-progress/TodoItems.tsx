import { todoTitle, type TodoItem } from '@guidon/contract/todo'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { ActionRow, rowList } from '../../ui/ActionRow.ts'
import { dueWords } from '../../ui/due-words.ts'
import { DueText } from '../../ui/DueText.tsx'
import { appointmentDay, reasonOf } from './todo-texts.ts'

const List = styled('ol')(({ theme }) => rowList(theme))

const Row = styled(ActionRow)(({ theme: { vars } }) => ({
  '&[data-overdue]': { backgroundColor: vars.palette.tone.error.ground },
}))

const Position = styled('span')(({ theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  width: '2.1rem',
  height: '2.1rem',
  borderRadius: '50%',
  fontWeight: 700,
  backgroundColor: vars.palette.tint.soft,
  // Forced colours show the border instead of the background.
  border: '1px solid transparent',
  '[data-overdue] > &': {
    color: vars.palette.background.paper,
    backgroundColor: vars.palette.error.main,
  },
}))

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
    <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
      <List>
        {items.map((item, index) => (
          <li key={`${item.kind} ${item.id}`}>
            <Row data-overdue={isOverdue(item) || undefined}>
              <Position aria-hidden>{index + 1}</Position>
              <div>
                <Typography variant="h3" sx={{ overflowWrap: 'anywhere' }}>
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
      sx={{ overflowWrap: 'anywhere' }}
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
