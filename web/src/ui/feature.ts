import type { Role } from '@guidon/contract/account'
import type { screens } from '@guidon/contract/screens'
import type { ComponentType, ReactNode } from 'react'

type ScreenPath = (typeof screens)[keyof typeof screens]

/** What the app gives to a screen with the frame `account`. */
export interface AccountProps {
  /** The signed-in user's email and the Log out button. */
  account: ReactNode
  /** The message of a failed log out. */
  notice: ReactNode
}

interface MenuItem {
  label: string
  /** Fetched with the dashboard, so that the first load does not carry it. */
  icon: () => Promise<{ default: ComponentType<{ 'aria-hidden': true }> }>
}

/** A screen whose code is fetched when it is first opened. */
export type LazyScreen =
  /** The screen draws its own layout. */
  | { frame?: undefined; load: () => Promise<ComponentType> }
  /** The screen draws its own layout, with the account bar in its header. */
  | { frame: 'account'; load: () => Promise<ComponentType<AccountProps>> }
  /** The screen is a page of the dashboard, and may have an entry in its menu. */
  | { frame: 'dashboard'; load: () => Promise<ComponentType>; menu?: MenuItem }

/** `Screen` is part of the first load. */
type Target = LazyScreen | { Screen: ComponentType } | { redirectTo: ScreenPath }

export type ScreenRoute = Target & {
  /** With `/:id`, the page of one entry of that screen's list. */
  path: ScreenPath | `${ScreenPath}/:id`
  /** Roles that may open the screen; absent means anyone, signed in or not. */
  roles?: readonly Role[]
}

export interface Feature {
  name: string
  routes: readonly ScreenRoute[]
}

/** Checks the types of a feature. The app makes its routes and menus of the list of all features. */
export function feature(definition: Feature): Feature {
  return definition
}
