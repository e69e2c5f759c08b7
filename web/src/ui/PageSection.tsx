import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useId, type ReactNode, type Ref } from 'react'

const Frame = styled('section')({ marginTop: 40 })

const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '8px 24px',
  marginBottom: 12,
  '& h2:focus': { outline: 'none' },
  // Keeps a focused heading clear of the menu at the bottom of a phone.
  '& h2': { scrollMarginBlock: '24px 6rem' },
})

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
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, maxWidth: '36rem' }}>
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
