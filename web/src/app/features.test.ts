import { ROLES, type Role } from '@guidon/contract/account'
import { homeOf, screens } from '@guidon/contract/screens'
import { expect, it } from 'vitest'
import { features } from './features.ts'
import { loadMenu, menuFor } from './menu.tsx'
import { rareFeatures } from './rare-features.ts'

const allFeatures = [...features, ...rareFeatures]
const routes = allFeatures.flatMap(({ routes: own }) => own)
const menu = await loadMenu(features)
const routeTo = (path: string) => routes.find((route) => route.path === path)
const mayOpen = (role: Role, path: string) => routeTo(path)?.roles?.includes(role) ?? false

const listOf = (path: string) => path.replace(/\/:id$/, '')

it('serves every screen of the contract by exactly one feature', () => {
  const paths = routes.map(({ path }) => path).filter((path) => path === listOf(path))
  expect(paths.toSorted()).toEqual(Object.values(screens).toSorted())
})

it('lets the same roles open a list and the pages of its entries', () => {
  for (const { path, roles } of routes) expect(routeTo(listOf(path))?.roles).toEqual(roles)
})

it('gives each feature a different name', () => {
  const names = allFeatures.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

it.each(ROLES)('offers %s only menu entries whose screens that role may open', (role) => {
  for (const { to } of menuFor(role, menu)) {
    expect(mayOpen(role, to)).toBe(true)
    expect(routeTo(to)).not.toHaveProperty('redirectTo')
  }
})

it('lists Home and Settings in the menu of a veteran', () => {
  expect(menuFor('USER', menu).map(({ to, label }) => [to, label])).toEqual([
    [screens.home, 'Home'],
    [screens.settings, 'Settings'],
  ])
})

it('allows the same roles on every page of the dashboard, because the pages share a menu', () => {
  const pages = routes.filter((route) => 'frame' in route && route.frame === 'dashboard')
  expect(new Set(pages.map(({ roles }) => roles?.join()))).toEqual(new Set(['USER']))
})

it('redirects only to screens that the same roles may open', () => {
  const redirects = routes.filter((route) => 'redirectTo' in route)
  for (const { redirectTo, roles } of redirects) expect(routeTo(redirectTo)?.roles).toEqual(roles)
})

it.each(ROLES)('lets %s open the screen that follows their sign-in', (role) => {
  expect(mayOpen(role, homeOf(role))).toBe(true)
})

it.each(routes.filter((route) => 'load' in route))(
  'finds the component of $path',
  async (route) => {
    expect(await route.load()).toBeTypeOf('function')
  },
)
