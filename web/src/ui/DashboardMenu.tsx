import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { withClass } from './with-class.ts'
import css from './DashboardMenu.module.css'

const Menu = withClass('nav', css['menu'])

export interface MenuEntry {
  to: string
  label: string
  icon: ReactNode
}

interface Props {
  entries: readonly MenuEntry[]
  /** An action, such as Log out, after the links. */
  children: ReactNode
}

/** One list: a column beside the page, or a bar on a phone. */
export function DashboardMenu({ entries, children }: Props) {
  return (
    <Menu aria-label="Main">
      <ul>
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <NavLink to={to}>
              {icon}
              {label}
            </NavLink>
          </li>
        ))}
        <li>{children}</li>
      </ul>
    </Menu>
  )
}
