import type { Role } from '@guidon/contract/account'
import type { MenuEntry } from '../ui/DashboardMenu.tsx'
import type { Feature, ScreenRoute } from '../ui/feature.ts'

export interface RoleEntry extends MenuEntry {
  roles: readonly Role[]
}

/** The menu entries of all features, with their icons fetched. */
export async function loadMenu(features: readonly Feature[]): Promise<RoleEntry[]> {
  const entries = await Promise.all(features.flatMap(({ routes }) => routes).map(loadEntry))
  return entries.filter((entry) => entry !== undefined)
}

async function loadEntry(route: ScreenRoute): Promise<RoleEntry | undefined> {
  const menu = 'menu' in route ? route.menu : undefined
  if (!menu) return undefined
  const { default: Icon } = await menu.icon()
  return { to: route.path, roles: route.roles ?? [], label: menu.label, icon: <Icon aria-hidden /> }
}

export function menuFor(role: Role, entries: readonly RoleEntry[]): MenuEntry[] {
  return entries.filter(({ roles }) => roles.includes(role))
}
