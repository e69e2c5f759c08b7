import { RowActions } from '../../ui/ActionRow.ts'
import { Button } from '../../ui/Button.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts'

interface Props {
  clinic: string | null
  /** Shows the section with the appointments. */
  onRead: () => void
}

/** The button of an appointment in the to-do list. */
export function TodoAppointment({ clinic, onRead }: Props) {
  return (
    <RowActions data-part="actions">
      <Button onClick={onRead}>
        Read <VisuallyHidden>about your appointment {clinic}</VisuallyHidden>
      </Button>
    </RowActions>
  )
}
