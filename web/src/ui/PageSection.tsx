import { useId, type ReactNode, type Ref } from 'react'
import { Typography } from './Typography.tsx'
import { withClass } from './with-class.ts'
import css from './PageSection.module.css'

const Frame = withClass('section', css['frame'])

const Head = withClass('div', css['head'])

interface Props {
  title: string
  /** A line under the title. */
  note?: ReactNode
  /** A button beside the title. */
  action?: ReactNode
  /** Makes the heading focusable. */
  headingRef?: Ref<HTMLHeadingElement> | undefined
  children: ReactNode
}

export function PageSection({ title, note, action, headingRef, children }: Props) {
  const id = useId()
  return (
    <Frame aria-labelledby={id}>
      <Head>
        <div>
          <Typography
            id={id}
            variant="h2"
            {...(headingRef !== undefined && { ref: headingRef, tabIndex: -1 })}
          >
            {title}
          </Typography>
          {note && (
            <Typography variant="body2" color="textSecondary" className={css['text']}>
              {note}
            </Typography>
          )}
        </div>
        {action}
      </Head>
      {children}
    </Frame>
  )
}
