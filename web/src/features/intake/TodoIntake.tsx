import { screens } from '@guidon/contract/screens'
import { Link } from 'react-router'
import { RowActions } from '../../ui/ActionRow.ts'
import { Button } from '../../ui/Button.tsx'
import { useIntakeProgress } from './use-intake-progress.ts'

/** The text of the unfinished intake in the to-do list. */
export function TodoIntakeText() {
  const { begun } = useIntakeProgress()
  return (
    <>
      {begun === true && 'Your answers so far are saved. '}
      {begun === false && 'You have not started yet. '}
      It takes a few minutes, and every question is optional.
    </>
  )
}

/** The button of the unfinished intake in the to-do list. */
export function TodoIntakeButton() {
  const { begun } = useIntakeProgress()
  return (
    <RowActions data-part="actions">
      <Button component={Link} to={screens.getStarted}>
        {begun === false ? 'Start' : 'Continue'}
      </Button>
    </RowActions>
  )
}
