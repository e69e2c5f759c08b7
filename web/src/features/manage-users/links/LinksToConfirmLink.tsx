import { screens } from '@guidon/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { TextLink } from '../../../ui/TextLink.tsx'
import { VisuallyHidden } from '../../../ui/VisuallyHidden.ts'
import { withClass } from '../../../ui/with-class.ts'
import { linksQuery } from './links-queries.ts'
import css from './LinksToConfirmLink.module.css'

const Badge = withClass('span', css['badge'])

/** To the links that wait, with their count. Without the count if it cannot be loaded: the list says why. */
export function LinksToConfirmLink() {
  const { data: { total } = { total: 0 } } = useQuery(linksQuery)
  return (
    <TextLink standalone to={screens.linksToConfirm}>
      Links to confirm{' '}
      {total > 0 && (
        <Badge>
          {total} <VisuallyHidden>waiting</VisuallyHidden>
        </Badge>
      )}
    </TextLink>
  )
}
