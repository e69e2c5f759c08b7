import { Button } from '../../ui/Button.tsx'
import { withClass } from '../../ui/with-class.ts'
import { NO_USERS } from './user-texts.ts'
import { isFiltered, type View } from './view.ts'
import css from './NoUsers.module.css'

const Frame = withClass('div', css['frame'])

/** Shown in place of the users if none match, with a way back to all of them. */
export function NoUsers({ view, onClear }: { view: View; onClear: () => void }) {
  const parts = [view.q !== '' && 'search', isFiltered(view) && 'filters'].filter(Boolean)
  return (
    <Frame>
      <p>{NO_USERS}</p>
      {parts.length > 0 && (
        <Button variant="outlined" onClick={onClear}>
          Clear {parts.join(' and ')}
        </Button>
      )}
    </Frame>
  )
}
