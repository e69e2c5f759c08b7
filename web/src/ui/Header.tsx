import { telHref } from '@guidon/contract/brand'
import Call from '@mui/icons-material/Call'
import type { ReactNode } from 'react'
import { brand } from './brand.ts'
import { Link } from './Link.tsx'
import { withClass } from './with-class.ts'
import css from './Header.module.css'

const Bar = withClass('header', css['bar'])

const Disc = withClass('span', css['disc'])

/** `children`: the account bar, in a separate row on narrow screens. */
export function Header({ children }: { children?: ReactNode }) {
  return (
    <Bar>
      <picture>
        <source srcSet="/brand/logo-dark.svg" media="(prefers-color-scheme: dark)" />
        <img src="/brand/logo.svg" alt={brand.name} />
      </picture>
      <Link href={telHref(brand.phone)} className={css['link']}>
        <Disc>
          <Call aria-hidden className={css['call']} />
        </Disc>
        {brand.phone}
      </Link>
      {children && <div className={css['box']}>{children}</div>}
    </Bar>
  )
}
